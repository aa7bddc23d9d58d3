import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { latestResources } from '../../src/fields/own-resources.ts'
import type { InsertPlan } from '../../src/plan/plan.ts'
import { wholeRange } from '../../src/request/parse-range.ts'
import { columnsOf } from '../../src/resources/define.ts'
import type { CompanyStore, Database, Rows, Steps } from '../../src/store/database.ts'
import { effortOfWrite } from '../../src/store/execute-write.ts'
import type { Sql } from '../../src/store/sql.ts'
import { engines } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { inTime, type Reply, type Tenant, World } from '../support/world.ts'
import { addFields } from './support.ts'

/** As large as a row can be: 192 KB as JSON. */
const names = Array.from({ length: 8 }, (_, at) => `f${at}`)
const wide = (character: string) => Object.fromEntries(names.map((name) => [name, character.repeat(4000)]))
/** As much as fits into a body: ten parts. */
const count = 50

/** What a step sends and finds. A part of 1 MB of rows is in it as it was, as it is, and with its quotes escaped. */
const stepBytesMax = 4 * 1024 * 1024

for (const engine of engines)
  describe(`rows as large as they can be (${engine.name})`, () => {
    const steps: number[] = []
    const world = new World({}, (db) => weighing(db, (bytes) => steps.push(bytes)))
    beforeAll(async () => {
      await world.open(engine)
      const fields = names.map((name) => ({ name, type: 'text', rules: { max_length: 4000 } }))
      await addFields(world.acme, 'project', fields)
      await until(async () => (await world.acme.get('/project?select=f7')).status === 200)
    }, 300_000)
    afterAll(() => world.close())

    const ids = Array.from({ length: count }, () => Bun.randomUUIDv7())
    const minimal = { Prefer: 'return=minimal' }

    /** The types and keys of the events that `work` makes, in their order. */
    async function eventsOf(work: () => Promise<Reply>): Promise<unknown[]> {
      const all = async () => (await world.acme.get('/event?resource=eq.project&select=type,row_id')).json
      const before = (await all()).length
      steps.length = 0
      expect([200, 201, 204]).toContain((await inTime(work)).status)
      expect(steps.length).toBeGreaterThan(5)
      expect(Math.max(...steps)).toBeLessThan(stepBytesMax)
      await until(async () => (await all()).length >= before + count)
      return (await all()).slice(before)
    }

    const expected = (type: string) => ids.map((row_id) => ({ type: `project.${type}`, row_id }))

    test('are created in parts', async () => {
      const rows = ids.map((id) => ({ id, bid_id: world.acme.bid, project_name: 'new', ...wide('\u0001') }))
      expect(await eventsOf(() => world.acme.post('/project', rows, minimal))).toEqual(expected('created'))
    })

    test('are put into words in parts, where they are shown', async () => {
      const plan = await planOf(world.acme, 40)
      let turns = 0
      let isDone = false
      const turn = (): void => {
        turns += 1
        if (!isDone) setImmediate(turn)
      }
      setImmediate(turn)
      expect((await effortOfWrite(world.db.forRows(world.acme.id), plan)).isLarge).toBe(true)
      isDone = true
      expect(turns).toBeGreaterThan(5)
      const tooMany = await planOf(world.acme, 50)
      const refused = Promise.resolve(effortOfWrite(world.db.forRows(world.acme.id), tooMany))
      expect(await refused.catch(({ message }: Error) => message)).toStartWith('More than 8 MiB')
    })

    test('are read in parts by an upsert', async () => {
      const rows = ids.map((id) => ({ id, bid_id: world.acme.bid, project_name: 'merged' }))
      const merge = { Prefer: 'return=minimal, resolution=merge-duplicates' }
      expect(await eventsOf(() => world.acme.post('/project', rows, merge))).toEqual(expected('updated'))
    })

    test('are read in parts by an update', async () => {
      const change = () => world.acme.patch('/project?project_name=eq.merged', { f0: 'x' }, minimal)
      expect(await eventsOf(change)).toEqual(expected('updated'))
      const [last] = (await world.acme.get(`/event?row_id=eq.${ids.at(-1)}&order=sequence.desc&limit=1`)).json
      expect([last.row.f0, last.row.f7, last.previous.f0]).toEqual(['x', wide('\u0001').f7, wide('\u0001').f0])
    })

    test('are not compared with a version where they are too many to be shown', async () => {
      const ifMatch = { ...minimal, 'If-Match': '"other"' }
      const refused = await world.acme.patch('/project?project_name=eq.merged', { f0: 'y' }, ifMatch)
      expect([refused.status, refused.json.code]).toEqual([400, '54000'])
    })

    test('are read in parts by a delete', async () => {
      const remove = () => world.acme.delete('/project?project_name=eq.merged', minimal)
      expect(await eventsOf(remove)).toEqual(expected('deleted'))
    })
  })

/** So many new rows, which are shown whole. */
async function planOf({ db, id }: Tenant, rows: number): Promise<InsertPlan> {
  const resource = (await latestResources(db, id)).find(({ name }) => name === 'project')
  if (!resource) throw new Error('There are no projects')
  const columns = columnsOf(resource)
  const plain = { cast: null, aggregate: null, aggregateCast: null, zone: null }
  const returning = columns.map((column) => ({ kind: 'field' as const, key: column.name, column, ...plain }))
  const row = columns.map(({ field }) => (field ? '\u0001'.repeat(4000) : ''))
  return {
    ...{ kind: 'insert', resource, columns, returning, selection: returning, where: [], order: [], values: [id] },
    rows: Array.from({ length: rows }, () => [...row]),
    shared: { resource, where: [], selection: returning, order: [], range: wholeRange },
    ...{ conflict: null, onlyNew: false, started: [], sentBack: null, versions: null, affectedMax: null },
    ...{ single: false, isTrial: false, actor: null },
  }
}

/** The same database, which tells how many bytes each step of a write has sent and found. */
function weighing(db: Database, tell: (bytes: number) => void): Database {
  function* weighed(work: Steps): Steps {
    for (let step = work.next(); !step.done; ) {
      const found = yield step.value
      tell(
        step.value.reduce((sum, { values }: Sql) => sum + weightOf([values]), 0) + found.map(weightOf).reduce(add, 0),
      )
      step = work.next(found)
    }
  }
  const watched = (own: CompanyStore): CompanyStore => ({
    ...own,
    transactInSteps: (work, right) => own.transactInSteps(weighed(work), right),
    transactLong: (work, choose, right) => own.transactLong(weighed(work), choose, right),
  })
  return { ...db, forRows: (id) => watched(db.forRows(id)), forCompany: (id) => watched(db.forCompany(id)) }
}

const weightOf = (rows: Rows): number => rows.flat().reduce<number>((sum, value) => sum + String(value).length, 0)
const add = (a: number, b: number): number => a + b
