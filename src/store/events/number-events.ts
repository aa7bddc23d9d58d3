import { columnsOf } from '../../resources/define.ts'
import { event } from '../../resources/index.ts'
import { companyRows, copyCompanyRows, insertCompanyRow, updateCompanyRows } from '../compile/company-rows.ts'
import type { CompanyStore, Database, Steps } from '../database.ts'
import { fill, identifier, integer, type Piece, type Sql, sql } from '../sql.ts'

/** Events that get their number in one transaction. */
const batchMax = 1000

/** The same for each company, where several are numbered at once. */
const togetherMax = 250

/** Another instance numbers the events of the same company at the same time. */
class Overtaken extends Error {}

/** Events of one company that have got their numbers. */
export interface Numbered {
  readonly companyId: string
  readonly count: number
  /** There may be more: the batch was full, or another instance was faster. */
  readonly hasMore: boolean
}

/** Gives numbers to events of some companies that have none yet. Any number of instances may do so at once. */
export async function numberEvents(db: Database, companyIds: readonly string[]): Promise<readonly Numbered[]> {
  const { number } = db.dialect.newEvents
  if (number === null) return Promise.all(companyIds.map((companyId) => numberOne(db.forRows(companyId))))
  // All instances lock companies in the same order, so that no two wait for each other.
  const [rows = []] = await db.background.transact([number(companyIds.toSorted(), togetherMax)])
  return rows.map(([companyId, count]) => ({
    companyId: String(companyId),
    count: Number(count),
    hasMore: Number(count) === togetherMax,
  }))
}

/**
 * Numbers events of one company in the order of the inbox. The counter is compared and set in the transaction that
 * moves the events, so of two instances at most one succeeds, and numbers have no gaps.
 */
async function numberOne(db: CompanyStore): Promise<Numbered> {
  const { companyId } = db
  // Before the events: then what another instance numbers in between shows by the counter, before anything is copied.
  const [[last] = []] = await db.read(sql`select last_sequence from ${companyRows('event_counter', db)}`)
  const found = await db.read(selectInbox(db))
  const count = found.length
  if (count === 0) return { companyId, count, hasMore: false }
  try {
    const ids = found.map(([id]) => String(id))
    await db.transactInSteps(numbering(db, ids, last === undefined ? null : Number(last)))
    return { companyId, count, hasMore: count === batchMax }
  } catch (error) {
    if (error instanceof Overtaken) return { companyId, count: 0, hasMore: true }
    throw error
  }
}

const movedColumns = columnsOf(event).filter((column) => column !== event.primaryKey)
const [idColumn = event.primaryKey] = movedColumns

const selectInbox = (db: CompanyStore): Sql =>
  sql`select i.id from ${companyRows('event_inbox', db, 'i')} order by i.created_at, i.id limit ${integer(batchMax)}`

/** The rows themselves do not leave the database. */
function* numbering(db: CompanyStore, ids: readonly string[], last: number | null): Steps {
  const [counted = []] = yield [countOn(db, last, ids.length)]
  if (counted.length === 0) throw new Overtaken()
  const own = [db.companyId, ids]
  const [, taken = []] = yield [
    fill(sql`${copyWithNumbers(db, last ?? 0)} and ${isOneOf(db)}`, own),
    fill(sql`delete from ${companyRows('event_inbox', db, 'i')} and ${isOneOf(db)} returning id`, own),
  ]
  if (taken.length !== ids.length) throw new Overtaken()
}

/** From the inbox to the table of events, with the numbers after `last`. */
function copyWithNumbers(db: CompanyStore, last: number): Sql {
  const number = sql`${last} + row_number() over (order by i.created_at, i.id)`
  const values = movedColumns.map(({ name }) => [name, identifier('i', name)] as const)
  const row = Object.fromEntries([...values, [event.primaryKey.name, number]])
  return copyCompanyRows('event', row, { table: 'event_inbox', alias: 'i' }, db)
}

/** Tells whether the counter still was what it is compared with. */
const countOn = (db: CompanyStore, last: number | null, count: number): Sql =>
  last === null
    ? sql`${insertCompanyRow('event_counter', db, { last_sequence: count })} on conflict (company_id) do nothing returning company_id`
    : sql`${updateCompanyRows('event_counter', db, sql`last_sequence = ${last + count}`)}
          and last_sequence = ${last} returning company_id`

const isOneOf = ({ dialect }: CompanyStore): Piece =>
  dialect.compare({
    ...{ column: idColumn, value: identifier('i', 'id'), operator: 'in', quantifier: null, language: 'simple' },
    operand: { param: 1, count: 0 },
  })
