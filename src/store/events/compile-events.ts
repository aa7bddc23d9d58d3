import { memoize } from '../../caches/memoize.ts'
import type { InsertPlan, WritePlan } from '../../plan/plan.ts'
import { type Column, columnsOf, type Resource } from '../../resources/define.ts'
import { event } from '../../resources/index.ts'
import { nowText } from '../../types/timestamp-text.ts'
import { insertIntoCompany } from '../compile/company-rows.ts'
import { keysIn, valuesOf } from '../compile/write-values.ts'
import type { Dialect } from '../dialect.ts'
import { partText, type RowValues, rowText } from '../row-text.ts'
import { company, join, keyword, type Piece, parameter, prepare, Sql, sql, textLiteral } from '../sql.ts'
import type { Change } from './change.ts'

/** The columns of an event that are sent with it; the engine makes the others. */
const sentColumns = memoize(({ newEvents }: Dialect): readonly Column[] =>
  columnsOf(event).filter((column) => column !== event.primaryKey && column.name !== newEvents.added),
)

/** The values of an event, in the order of `sentColumns`. */
export function eventValues(plan: WritePlan, change: Change, dialect: Dialect): readonly (string | null)[] {
  const { resource, actor } = plan
  const { kind, row, changed, before } = change
  const columns = columnsOf(resource)
  const values = [
    Bun.randomUUIDv7(),
    `${resource.name}.${kind}`,
    resource.name,
    row[columns.indexOf(resource.primaryKey)] ?? '',
    rowText(row, resource),
    changed === columns ? everyName(resource) : namesText(changed),
    before && partText(before, resource, changed),
  ]
  if (dialect.newEvents.added !== 'created_at') values.push(nowText())
  values.push(actor?.kind ?? '', actor?.id ?? null)
  return values
}

const namesText = (columns: readonly Column[]): string => JSON.stringify(columns.map(({ name }) => name))
const everyName = memoize((resource: Resource): string => namesText(columnsOf(resource)))

/** Those values of the event of a new row that `compileWithEvent` does not know. */
export const newRowEvent = ({ resource, actor }: InsertPlan, row: RowValues): readonly (string | null)[] => [
  Bun.randomUUIDv7(),
  rowText(row, resource),
  everyName(resource),
  actor?.kind ?? '',
  actor?.id ?? null,
]

/** The insert of one row → the same with its event. `newRowEvent` stands behind the values of the row. */
export function compileWithEvent(write: Piece, plan: InsertPlan, dialect: Dialect): readonly Piece[] {
  const { newEvents } = dialect
  const { name } = plan.resource
  const known: Readonly<Record<string, Piece>> = {
    type: textLiteral(`${name}.created`),
    resource: textLiteral(name),
    row_id: sql`${parameter(keysIn(plan).param)}`,
    previous: keyword('null'),
  }
  let next = valuesOf(plan).length
  const values = sentColumns(dialect).map((column) =>
    dialect.valueOf(column, known[column.name] ?? sql`${parameter(next++)}`),
  )
  const all = join([...values, newEvents.value(1, keyword('0'))], ', ')
  const into = insertInto(dialect)
  if (newEvents.alone === 'joined')
    return [sql`with written as (${write} returning 1) ${into} select ${company}::uuid, ${all} from written`]
  return [write, ...newEvents.before(1), sql`${into} values (${company}, ${all})`]
}

/** An event that waits for those of other writes. Its number is the last value, and is added when it is written. */
export class GatheredEvent extends Sql {}

export function gatherEvent(companyId: string, values: readonly (string | null)[], dialect: Dialect): GatheredEvent {
  const { texts, text } = gathered(dialect)
  return new GatheredEvent(texts, [companyId, ...values], text)
}

const gathered = memoize((dialect: Dialect): Sql => {
  const holes = [null, ...sentColumns(dialect), null].map(() => sql`${null}`)
  return prepare(sql`${insertInto(dialect)} values (${join(holes, ', ')})`, dialect.placeholder) as Sql
})

/** The events of many rows, by their values. */
export function compileEvents(events: readonly (readonly (string | null)[])[], dialect: Dialect): readonly Piece[] {
  if (events.length === 0) return []
  const { newEvents } = dialect
  const added = newEvents.value(events.length, keyword('key'))
  const sources = dialect.rows(sentColumns(dialect), events, added)
  return [...newEvents.before(events.length), ...sources.map((source) => sql`${insertInto(dialect)} ${source}`)]
}

const insertInto = (dialect: Dialect): Piece =>
  insertIntoCompany(dialect.newEvents.table, [...sentColumns(dialect).map(({ name }) => name), dialect.newEvents.added])
