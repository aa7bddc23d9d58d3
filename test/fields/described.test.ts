import { beforeAll, expect, test } from 'bun:test'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { addFields, everyType } from './support.ts'

const names: readonly string[] = everyType.map(({ name }) => name)

onEachEngine('what is told of a company’s own fields', (world) => {
  beforeAll(() => addFields(world.acme, 'project'))

  test('is what GET /rest/v1/field answers, to be read alone', async () => {
    const { json } = await world.acme.get('/field?resource=eq.project&order=position')
    expect(json.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(json[7]).toMatchObject({ type: 'choice', choices: [{ value: 'lead' }, { value: 'won' }, { value: 'lost' }] })
    expect((await world.acme.get('/field?type=eq.choice&select=name,rules')).json).toEqual([
      { name: 'stage', rules: {} },
    ])
    expect((await world.acme.post('/field', { name: 'x' })).status).toBe(405)
    expect((await world.rival.get('/field')).json).toEqual([])
  })

  test('is in the OpenAPI document of its credential alone', async () => {
    const own = (await world.acme.get('/')).json.components.schemas.project.properties
    expect(Object.keys(own)).toContain('contract_value')
    expect(own.stage).toMatchObject({ enum: ['lead', 'won', 'lost', null], title: 'Stage' })
    expect(own.floors).toMatchObject({ minimum: 0, maximum: 200 })
    for (const { text, headers } of [await world.rival.get('/'), await world.acme.get('/', { apikey: 'pak_wrong' })]) {
      expect(text).not.toContain('contract_value')
      expect(headers.get('vary')).toContain('apikey')
    }
    const swagger = await world.acme.get('/', { Accept: 'application/openapi+json;version=2.0' })
    expect(Object.keys(swagger.json.definitions.project.properties)).toContain('trades')
  })

  test('is in a document that can be compressed, and asked for again by its ETag', async () => {
    const ask = (headers: Record<string, string>, method = 'GET') =>
      fetch(`${world.base}/rest/v1/`, { method, headers: { ...world.acme.headers, ...headers } })
    const plain = await ask({ 'Accept-Encoding': 'identity' })
    const text = await plain.text()
    const tags = [plain.headers.get('ETag')]
    for (const coding of ['gzip', 'zstd']) {
      const response = await ask({ 'Accept-Encoding': coding })
      expect(await response.text()).toBe(text)
      expect(response.headers.get('Vary')).toContain('Accept-Encoding')
      const tag = response.headers.get('ETag') ?? ''
      expect((await ask({ 'Accept-Encoding': coding, 'If-None-Match': tag })).status).toBe(304)
      tags.push(tag)
    }
    expect(new Set(tags).size).toBe(3)
    const head = await ask({ 'Accept-Encoding': 'identity' }, 'HEAD')
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, String(tags[0]), ''])
    expect((await ask({}, 'POST')).status).toBe(405)
  })

  test('is in the types of the company alone', async () => {
    const printed = async (...words: string[]) =>
      (await runHere(['types', ...words], { DATABASE_URL: world.databaseUrl })).stdout
    const own = await printed('--company', world.acme.id)
    expect(own).toContain('stage?: "lead" | "won" | "lost" | null')
    expect(own).toContain('trades: ("roof" | "wall" | "paint")[] | null')
    expect(await printed('--company', world.rival.id)).toBe(await printed())
  })

  test('is in the tools of its agents alone', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const list = async (headers: Record<string, string>) => {
      const about = { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' }
      return (await fetch(`${world.base}/mcp`, { method: 'POST', headers: about, body: message })).text()
    }
    expect(await list(world.acme.headers)).toContain('contract_value')
    expect(await list(world.rival.headers)).not.toContain('contract_value')
  })
})
