import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { engines } from '../support/engines.ts'
import { endAll, runCli, type Service, startService } from '../support/service.ts'
import { type Reply, replyOf, type Tenant, World } from '../support/world.ts'
import { preload } from './with-task.ts'

const allowed = 'OPTIONS,GET,HEAD'

for (const engine of engines) {
  describe(`a resource that can only be read (${engine.name})`, () => {
    const world = new World({})
    let service: Service

    beforeAll(async () => {
      await world.open(engine)
      service = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', LOG: 'off', ...preload })
      for (const tenant of [world.acme, world.rival]) {
        const [now, before] = [new Date().toISOString(), sql`${'{"n":12345678901234567890}'}`]
        await world.db.transact([
          sql`insert into entry (company_id, id, project_id, before, created_at)
              values (${tenant.id}, 1, ${tenant.project}, ${engine.name === 'sqlite' ? before : sql`${before}::text::json`}, ${now})`,
        ])
      }
    }, 120_000)

    afterAll(async () => {
      await world.close()
      await endAll()
    })

    async function send(by: Tenant, method: string, path: string, body?: unknown): Promise<Reply> {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { ...by.headers, 'Content-Type': 'application/json' }
      return replyOf(
        await fetch(`${service.base}${path === '/mcp' ? '' : '/rest/v1'}${path}`, { method, headers, ...sent }),
      )
    }

    test('is read like any other, with its JSON as it is', async () => {
      const { text } = await send(world.acme, 'GET', '/entry?select=id,before')
      expect(text).toBe('[{"id":1,"before":{"n":12345678901234567890}}]')
    })

    test('refuses every write, says what it takes, and keeps its rows', async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers, json } = await send(world.acme, method, '/entry?id=eq.1', { id: 1 })
        expect([status, headers.get('allow'), json.code]).toEqual([405, allowed, 'PGRST117'])
        expect(json.hint).toBe('"entry" can only be read. Use one of OPTIONS, GET, HEAD.')
      }
      expect((await send(world.acme, 'OPTIONS', '/entry')).headers.get('allow')).toBe(allowed)
      expect((await send(world.acme, 'GET', '/entry')).json).toHaveLength(1)
    })

    test('is a company’s own', async () => {
      const [own] = (await send(world.acme, 'GET', '/entry')).json
      const [other] = (await send(world.rival, 'GET', '/entry')).json
      expect(own.project_id).not.toBe(other.project_id)
      expect((await send(world.rival, 'GET', `/entry?project_id=eq.${own.project_id}`)).json).toEqual([])
    })

    test('is documented with its reads alone', async () => {
      const { paths, components } = (await send(world.acme, 'GET', '/')).json
      expect(Object.keys(paths['/entry']).toSorted()).toEqual(['get', 'head', 'options'])
      const named = Object.keys(components.schemas).filter((name) => name.startsWith('entry'))
      expect(named).toEqual(['entry'])
      expect(components.schemas.entry.properties.before.type).toBe('object')
    })

    test('has tools for agents that read, and no others', async () => {
      const { json } = await send(world.acme, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const names = json.result.tools.map(({ name }: { name: string }) => name)
      expect(names.filter((name: string) => name.endsWith('_entry'))).toEqual(['list_entry', 'get_entry'])
    })

    test('is a view in the types for clients', async () => {
      const { stdout } = await runCli(['types'], { DATABASE_URL: world.databaseUrl, ...preload })
      const [tables, views = ''] = stdout.split('Views:')
      expect(tables).not.toContain('entry: {')
      expect(views).toContain(
        'Row: { id: number; project_id: string; before: Record<string, unknown>; created_at: string }',
      )
      expect(views).not.toContain('Insert')
    })
  })
}
