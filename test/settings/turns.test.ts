import { beforeAll, expect, test } from 'bun:test'
import { randomUUIDv7 } from 'bun'
import { readConfig } from '../../src/config/config.ts'
import { ApiError } from '../../src/errors/index.ts'
import { Exchange } from '../../src/exchange.ts'
import { createLog } from '../../src/log/log.ts'
import { createSettings } from '../../src/settings/create-settings.ts'
import { settingsRoutes } from '../../src/settings/route.ts'
import { companyTables } from '../../src/store/cluster/layout.ts'
import type { Database } from '../../src/store/database.ts'
import { render, type Sql, sql } from '../../src/store/sql.ts'
import type { TakeTurn } from '../../src/traffic/loop-turns.ts'
import { onEachEngine } from '../support/engines.ts'
import { laneOf } from '../support/lane-of.ts'
import { endpointTo } from '../webhooks/support.ts'
import { anotherSession, authSecret, type Signed, signedInQuickly } from './held.ts'
import { behindProxy } from './support.ts'

const load = () => ({ underWay: 0, waiting: 0, refused: 0 })
const noTurn: TakeTurn = Object.assign(() => null, { load })

const refusal = (error: unknown) => {
  if (error instanceof ApiError) return { status: error.status, body: null }
  throw error
}

onEachEngine(
  'the settings page and the turns of companies',
  (world) => {
    let viewer: Signed
    let stray: Signed
    beforeAll(async () => {
      await signedInQuickly(world, world.acme.id, 'owner')
      viewer = await signedInQuickly(world, world.acme.id, 'viewer')
      stray = await signedInQuickly(world, world.acme.id, 'viewer')
      await world.db.transact([sql`delete from member where person_id = ${stray.personId}`])
    })

    const ask = (
      db: Database,
      by: Pick<Signed, 'browser'> | null,
      path: string,
      takeTurn: TakeTurn,
      { method = 'GET', from = '192.0.2.1', tookMs = 0 } = {},
    ) => {
      const config = readConfig({ AUTH_SECRET: authSecret, DATABASE_URL: world.databaseUrl }, false)
      const turns = { reads: method === 'GET' ? takeTurn : noTurn, writes: method === 'GET' ? noTurn : takeTurn }
      const settings = createSettings({ db, config, log: createLog('off'), listeningAt: () => world.base, turns })
      const headers = { Origin: world.base, Cookie: by?.browser.cookie ?? '' }
      const http = new Request(`${world.base}${path}`, { method, headers })
      const exchange = Object.assign(new Exchange(http, () => from), { startedAt: performance.now() - tookMs })
      return settings(http, path, exchange)
    }

    test('are taken by company, by person where there is none, and by network for strangers', async () => {
      const asked: string[] = []
      const note: TakeTurn = Object.assign(
        (who: string) => {
          asked.push(who)
          return null
        },
        { load },
      )
      await ask(world.db, viewer, '/api/overview', note)
      await ask(world.db, stray, '/api/session', note)
      await ask(world.db, await anotherSession(world.db, world.base, stray.personId), '/api/session', note)
      await ask(world.db, viewer, `/api/members/${viewer.personId}`, note, { method: 'DELETE' })
      expect(asked).toEqual([world.acme.id, stray.personId, stray.personId, world.acme.id])
      asked.length = 0
      const networks = Array.from({ length: 64 }, (_, at) => `192.0.2.${at}`)
      for (const from of networks) await ask(world.db, null, '/api/setup', note, { from })
      // Few, and those that the API for applications has.
      expect(asked).toEqual(networks.map(laneOf))
      expect(new Set(asked).size).toBe(8)
      viewer = await signedInQuickly(world, world.acme.id, 'viewer')
    })

    test('are over where a page took long to read, and its reader has lost the right meanwhile', async () => {
      const read = async (tookMs: number) => {
        const leaver = await signedInQuickly(world, world.acme.id, 'viewer')
        const forCompany: Database['forCompany'] = (companyId) => {
          const own = world.db.forCompany(companyId)
          const readReport: typeof own.readReport = async (...asked) => {
            const rows = await own.readReport(...asked)
            await world.db.transact([sql`delete from session where id = ${leaver.sessionId}`])
            return rows
          }
          return { ...own, readReport }
        }
        return ask({ ...world.db, forCompany }, leaver, '/api/overview', noTurn, { tookMs }).catch(refusal)
      }
      // However slow the machine is, this one has not taken long.
      expect(await read(-60_000)).toMatchObject({ status: 200 })
      expect(await read(5000)).toMatchObject({ status: 401 })
    })

    test('may be waited for, and the right is looked at again then', async () => {
      const leaver = await signedInQuickly(world, world.acme.id, 'viewer')
      const wait: TakeTurn = Object.assign(
        () => world.db.transact([sql`delete from session where id = ${leaver.sessionId}`]).then(() => {}),
        { load },
      )
      const error = await ask(world.db, leaver, '/api/overview', wait).catch((thrown) => thrown)
      expect(error).toBeInstanceOf(ApiError)
      expect(error.code).toBe('not_signed_in')
    })

    // Statements that go past `forCompany` take no turns, and a company that asks for many would hold up all others.
    test('hold for every read of what a company owns', async () => {
      const past: string[] = []
      const note = (statement: Sql) => past.push(render(statement, world.db.dialect.placeholder))
      const db: Database = {
        ...world.db,
        read: (statement) => {
          note(statement)
          return world.db.read(statement)
        },
      }
      const reads = settingsRoutes.filter(({ method, role }) => method === 'GET' && role === 'viewer')
      expect(reads.length).toBeGreaterThan(5)
      const requestId = (await world.acme.get('/bid')).headers.get('x-request-id') ?? ''
      await world.requestLog.flush()
      const { id: webhookId } = await endpointTo(world.db, world.acme.id, 'https://example.com/hook')
      const idIn = (path: string): string => {
        if (path.startsWith('/api/requests')) return requestId
        return path.startsWith('/api/webhooks') ? webhookId : world.acme.credentialId
      }
      for (const { path } of reads) {
        const filled = path.replace(':id', idIn(path)).replace(':resource', 'bid').replace(':event', randomUUIDv7())
        const { status, body } = await ask(db, viewer, filled, noTurn).catch(refusal)
        if (body !== null && typeof body !== 'string') for await (const _ of body);
        // Nothing was sent to the webhook so far.
        expect([path, status]).toEqual([path, path.endsWith('/:event') ? 404 : 200])
      }
      expect(past.length).toBeGreaterThanOrEqual(reads.length)
      // Whether a person is a member is asked before it is known whose turn it is.
      const tables = companyTables.filter((name) => name !== 'member')
      const ofCompanies = new RegExp(`(?:from|join) "?(?:${tables.join('|')})\\b`)
      expect(past.filter((text) => ofCompanies.test(text))).toEqual([])
    })
  },
  { ...behindProxy, AUTH_SECRET: authSecret },
)
