import { afterEach, expect, setDefaultTimeout, setSystemTime, spyOn, test } from 'bun:test'
import { SQL } from 'bun'
import { ApiError } from '../../src/errors/index.ts'
import { commandLine } from '../../src/people/audit.ts'
import { turnEvents } from '../../src/people/companies.ts'
import { updateCompanyRows } from '../../src/store/compile/company-rows.ts'
import type { Right, Steps } from '../../src/store/database.ts'
import { render, type Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { comesWithin } from '../support/service.ts'
import type { Tenant, World } from '../support/world.ts'

setDefaultTimeout(300_000)
afterEach(() => void setSystemTime())

const hourMs = 3_600_000
/** A credential is remembered for a second; a moment more, and it must have been read again. */
const rememberedMs = 1200
/** Until a request waits, unless the machine is busy. */
const arrivalMs = 200
/** Longer than any wait of these tests. */
const settings = { STATEMENT_TIMEOUT_MS: '120000' }

/** Whether writes wait for each other only at the same row. */
const isServer = ({ db }: World) => db.dialect.name === 'postgres'
const withCredential = ({ acme }: World) => acme.withCredential('read-write', new Date(Date.now() + hourMs))

/** The credential ends while what was asked with it waits, and is ended for so long that it can have no effect any more. */
async function passTime(): Promise<void> {
  await Bun.sleep(arrivalMs)
  setSystemTime(new Date(Date.now() + hourMs))
  await Bun.sleep(rememberedMs)
}

type End = () => Promise<unknown>

/** A long write of a company, which keeps a row of its own locked, or on SQLite the file, until it ends. */
async function holdLong(world: World, companyId: string, rowId = ''): Promise<End> {
  const own = world.db.forCompany(companyId)
  const change = sql`${updateCompanyRows('project', own, sql`project_name = project_name`)} and id = ${rowId || null}`
  const [begun, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const hold = () => {
    begun.resolve()
    return ends.promise
  }
  function* work(): Steps {
    yield [change]
  }
  const done = isServer(world) ? holdOnServer(world, change, hold) : own.transactLong(work(), [], hold)
  await begun.promise
  return () => {
    ends.resolve()
    return done.catch(requireSlow)
  }
}

/** Its time begins where it goes on, and may be over on a busy machine. It has held the others all the same. */
function requireSlow(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 504)) throw error
}

/** Counts how often a company's writes of several statements found that their right has ended. */
function countRefusals({ db }: World) {
  const { forRows } = db
  let count = 0
  const spy = spyOn(db, 'forRows').mockImplementation((companyId) => {
    const own = forRows(companyId)
    const watched =
      (right: Right): Right =>
      async (readMsMax) => {
        try {
          await right(readMsMax)
        } catch (error) {
          count += 1
          throw error
        }
      }
    return { ...own, transactInSteps: (work, right) => own.transactInSteps(work, right && watched(right)) }
  })
  return { any: () => count > 0, [Symbol.dispose]: () => spy.mockRestore() }
}

async function holdOnServer({ databaseUrl, db }: World, change: Sql, hold: () => Promise<void>): Promise<void> {
  await using client = new SQL(databaseUrl, { max: 1 })
  await client.begin(async (own) => {
    await own.unsafe(render(change, db.dialect.placeholder), [...change.values])
    await hold()
  })
}

onEachEngine(
  'a right that ends while a write waits',
  (world) => {
    test('lets nothing be done behind a long write of another company', async () => {
      const tenant = await withCredential(world)
      const end = await holdLong(world, world.rival.id)
      const waiting = tenant.post('/project', { bid_id: tenant.bid, project_name: 'waited' })
      // A server makes nobody wait for the write of another company.
      if (isServer(world)) expect((await waiting).status).toBe(201)
      await passTime()
      await end()
      const { status } = await waiting
      setSystemTime()
      const { json: made } = await world.acme.get('/project?project_name=eq.waited')
      expect([status, made.length]).toEqual(isServer(world) ? [201, 1] : [401, 0])
    })

    test.each([
      ['on', true],
      ['off', false],
    ])('lets nothing be done behind another write of the same row, with events %s', async (name, isOn) => {
      const { acme, rival, db } = world
      await turnEvents(db, commandLine, acme.id, isOn)
      const tenant = await withCredential(world)
      const { json: row } = await acme.post('/project', { bid_id: acme.bid, project_name: `events ${name}` })
      const change = (by: Tenant, project_name: string) => by.patch(`/project?id=eq.${row.id}`, { project_name })
      using refusals = countRefusals(world)
      const end = await holdLong(world, acme.id, row.id)
      const tooLate = change(tenant, 'too late')
      const inTime = change(acme, 'in time')
      const neighbour = change(rival, 'not theirs')
      await passTime()
      // A single statement need not wait for the row to be told: long before it would be too slow.
      if (isServer(world) && !isOn)
        expect(await Promise.race([tooLate, Bun.sleep(60_000)])).toMatchObject({ status: 401 })
      // This process may have stood still, so that the right was not asked for yet.
      if (isServer(world) && isOn) await comesWithin(60_000, refusals.any)
      await end()
      const statuses = (await Promise.all([tooLate, inTime, neighbour])).map(({ status }) => status)
      setSystemTime()
      const { json: rows } = await acme.get(`/project?id=eq.${row.id}&select=project_name`)
      expect([statuses, rows]).toEqual([[401, 204, 204], [{ project_name: 'in time' }]])
    })
  },
  settings,
)
