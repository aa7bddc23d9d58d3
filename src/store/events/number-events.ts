import { columnsOf } from '../../resources/define.ts'
import { event } from '../../resources/index.ts'
import { companyRows, insertCompanyRow, insertIntoCompany, updateCompanyRows } from '../compile/company-rows.ts'
import type { CompanyStore, Database, Row, Steps } from '../database.ts'
import { fill, identifier, integer, join, type Piece, type Sql, sql } from '../sql.ts'

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
  const [rows = []] = await db.transact([number(companyIds.toSorted(), togetherMax)])
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
  // Before the events: what another instance numbers in between would otherwise be numbered twice.
  const [[last] = []] = await db.read(sql`select last_sequence from ${companyRows('event_counter', db)}`)
  const events = await db.read(selectInbox(db))
  if (events.length === 0) return { companyId, count: 0, hasMore: false }
  try {
    await db.transactInSteps(numbering(db, events, last === undefined ? null : Number(last)))
    return { companyId, count: events.length, hasMore: events.length === batchMax }
  } catch (error) {
    if (error instanceof Overtaken) return { companyId, count: 0, hasMore: true }
    throw error
  }
}

const inboxColumns = columnsOf(event).filter((column) => column !== event.primaryKey)
const numberedColumns = [...inboxColumns, event.primaryKey]
const idPlace = inboxColumns.findIndex(({ name }) => name === 'id')

function selectInbox(db: CompanyStore): Sql {
  const texts = inboxColumns.map((column) => db.dialect.textOf(column, identifier('i', column.name)))
  const rows = companyRows('event_inbox', db, 'i')
  // The texts of columns are made of definitions, and hold no parameter.
  return fill(sql`select ${join(texts, ', ')} from ${rows} order by i.created_at, i.id limit ${integer(batchMax)}`, [])
}

function* numbering(db: CompanyStore, events: readonly Row[], last: number | null): Steps {
  const ids = events.map((row) => String(row[idPlace]))
  const [counted = [], taken = []] = yield [
    countOn(db, last, events.length),
    fill(sql`delete from ${companyRows('event_inbox', db)} and ${isOneOf(db)} returning id`, [db.companyId, ids]),
  ]
  if (counted.length === 0 || taken.length !== events.length) throw new Overtaken()
  const rows = events.map((row, at) => [...row.map(textOrNull), String((last ?? 0) + at + 1)])
  const into = insertIntoCompany(
    'event',
    numberedColumns.map(({ name }) => name),
  )
  yield db.dialect.rows(numberedColumns, rows).map((source) => fill(sql`${into} ${source}`, [db.companyId]))
}

const textOrNull = (value: Row[number]): string | null => (value === null ? null : String(value))

/** Tells whether the counter still was what it is compared with. */
const countOn = (db: CompanyStore, last: number | null, count: number): Sql =>
  last === null
    ? sql`${insertCompanyRow('event_counter', db, { last_sequence: count })} on conflict (company_id) do nothing returning company_id`
    : sql`${updateCompanyRows('event_counter', db, sql`last_sequence = ${integer(last + count)}`)}
          and last_sequence = ${integer(last)} returning company_id`

const isOneOf = ({ dialect }: CompanyStore): Piece => {
  const [column = event.primaryKey] = inboxColumns
  const operand = { param: 1, count: 0 }
  return dialect.compare({
    ...{ column, value: identifier('id'), operator: 'in', quantifier: null, language: 'simple' },
    operand,
  })
}
