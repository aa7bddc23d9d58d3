import { beforeEach, describe, expect, test } from 'bun:test'
import { failure } from '../../src/errors/index.ts'
import type { CompanyStatements, Rows } from '../../src/store/database.ts'
import { type Gathering, gatherRows } from '../../src/store/gather-rows.ts'
import { citusDialect } from '../../src/store/postgres/citus-dialect.ts'
import { fill, keyword, parameter, prepare, type Sql, sql } from '../../src/store/sql.ts'

const columns = keyword('("company_id", "id")')
const placeholder = (position: number) => `$${position}`
const pieces = [
  sql`insert into "bid" ${columns} values (${parameter(0)}, ${parameter(1)})`,
  sql`insert into "event" ${columns} values (${parameter(0)}, ${parameter(1)})`,
].map((piece) => prepare(piece, placeholder))
/** What an engine says about a row. */
const duplicate = new Error('a duplicate')
const explain = (error: unknown) => (error === duplicate ? 'duplicate' : null)
const rowOf = (id: string): readonly Sql[] => pieces.map((piece) => fill(piece, ['mine', id]))

/** The ids of each transaction, and what ends it. */
interface Sent {
  readonly ids: readonly unknown[]
  end(error?: Error): void
}

let sent: Sent[] = []
let gathering: Gathering
let transact: CompanyStatements['transact']
/** Where the wait is bounded as usual; elsewhere, a busy machine must not end it. */
let impatient: CompanyStatements['transact']

beforeEach(() => {
  sent = []
  const send: CompanyStatements['transact'] = async (statements, _, right) => {
    await right?.()
    const [ids = [], others] = statements.map(({ values }) => values.filter((value) => value !== 'mine'))
    expect(others ?? []).toEqual(ids)
    const done = Promise.withResolvers<readonly Rows[]>()
    sent.push({ ids, end: (error) => (error ? done.reject(error) : done.resolve([])) })
    return done.promise
  }
  gathering = { waiting: 0 }
  const store = { dialect: { ...citusDialect, placeholder }, explain }
  transact = gatherRows(send, store, gathering, 60_000)
  impatient = gatherRows(send, store, gathering)
})

const idsOf = (): unknown[] => sent.map(({ ids }) => ids)
/** Longer than all that is not waiting takes. */
const settle = () => Bun.sleep(1)
const created = async (result: Promise<unknown>): Promise<unknown> =>
  result.then(
    () => 'created',
    (error) => error,
  )

/** Sends six rows, of which the last two are written together, and fail so. */
async function failTogether(error: Error): Promise<Promise<unknown>[]> {
  const results = [...'abcdef'].map((id) => created(transact(rowOf(id))))
  await settle()
  sent[0]?.end()
  await settle()
  expect(idsOf()[4]).toEqual(['e', 'f'])
  sent[4]?.end(error)
  await settle()
  return results
}

describe('new rows of one company', () => {
  test('wait for nobody while few are written', async () => {
    for (const id of ['a', 'b', 'c', 'd']) void transact(rowOf(id))
    await settle()
    expect(idsOf()).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  test('that come meanwhile are written together, and each is told', async () => {
    const results = [...'abcdefghijklmnop'].map((id) => created(transact(rowOf(id))))
    await settle()
    expect(sent).toHaveLength(4)
    sent[0]?.end()
    await settle()
    expect(idsOf().slice(4)).toEqual([[...'efghijkl']])
    sent[4]?.end()
    await settle()
    expect(idsOf().slice(5)).toEqual([[...'mnop']])
    for (const { end } of sent) end()
    expect(await Promise.all(results)).toEqual(results.map(() => 'created'))
  })

  test('are written one by one when one of them is refused', async () => {
    const results = await failTogether(duplicate)
    expect(idsOf().slice(5)).toEqual([['e'], ['f']])
    sent[5]?.end(duplicate)
    for (const { end } of sent) end()
    expect(await Promise.all(results)).toEqual(['created', 'created', 'created', 'created', duplicate, 'created'])
  })

  test.each([
    ['that the engine does not explain', new Error('?')],
    ['whose outcome nobody knows', failure.outcomeUnknown(new Error('lost'))],
    ['because the database is away', failure.databaseAway(new Error('away'))],
  ])('all fail with a failure %s', async (_, error) => {
    const results = await failTogether(error)
    expect(sent).toHaveLength(5)
    for (const { end } of sent) end()
    expect((await Promise.all(results)).slice(4)).toEqual([error, error])
  })

  test.each([
    ['was too slow', failure.tooSlow(new Error('slow'))],
    ['was undone after a deadlock', failure.writesCollided(new Error('deadlock'))],
  ])('are written one by one after what %s', async (_, error) => {
    const results = await failTogether(error)
    expect(idsOf().slice(5)).toEqual([['e'], ['f']])
    for (const { end } of sent) end()
    expect(await Promise.all(results)).toEqual(results.map(() => 'created'))
  })

  test('of whoever loses the right while they are written together are left out', async () => {
    const ended = new Error('ended')
    let hasEnded = false
    const right = () => {
      if (hasEnded) throw ended
    }
    const results = [...'abcdef'].map((id) => created(transact(rowOf(id), undefined, id === 'f' ? right : undefined)))
    await settle()
    sent[0]?.end()
    await settle()
    hasEnded = true
    sent[4]?.end(duplicate)
    await settle()
    expect(idsOf().slice(5)).toEqual([['e']])
    for (const { end } of sent) end()
    expect((await Promise.all(results)).slice(4)).toEqual(['created', ended])
  })

  test('of whoever has lost the right meanwhile are left out', async () => {
    const ended = new Error('ended')
    const lost = () => {
      throw ended
    }
    const results = [...'abcdefg'].map((id) =>
      created(transact(rowOf(id), undefined, id === 'f' ? lost : () => undefined)),
    )
    await settle()
    sent[0]?.end()
    await settle()
    expect(idsOf()[4]).toEqual(['e'])
    for (const { end } of sent) end()
    await settle()
    for (const { end } of sent) end()
    expect((await Promise.all(results))[5]).toBe(ended)
  })

  test('do not wait for ever for what does not end, and not without their right', async () => {
    const ended = new Error('ended')
    const rights = { f: () => Promise.reject(ended) }
    const results = [...'abcdef'].map((id) => created(impatient(rowOf(id), undefined, rights[id as 'f'])))
    expect(gathering.waiting).toBe(2)
    while (sent.length < 5) await Bun.sleep(10)
    expect(idsOf()[4]).toEqual(['e'])
    for (const { end } of sent) end()
    expect((await Promise.all(results)).slice(4)).toEqual(['created', ended])
    expect(gathering.waiting).toBe(0)
  })

  test('leave other writes alone', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) void transact(rowOf(id))
    void transact([sql`delete from "bid" where id = ${'x'}`, sql`delete from "event" where id = ${'x'}`])
    void transact(rowOf('checked'), () => {})
    void transact([])
    await settle()
    expect(idsOf()).toEqual([['a'], ['b'], ['c'], ['d'], ['x'], ['checked'], []])
  })
})
