import { memoize } from '../../caches/memoize.ts'
import type { WritePlan } from '../../plan/plan.ts'
import { countOf } from '../../request/operand.ts'
import { type Column, columnsOf, type Resource, typeOf } from '../../resources/define.ts'
import type { CompanyStore } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import type { Change } from '../events/change.ts'
import type { RowValues } from '../row-text.ts'
import { fill, join, keyword, type Sql, sql, textLiteral } from '../sql.ts'
import { companyRows, insertIntoCompany, ofRequest } from './company-rows.ts'

type Keeper = Pick<CompanyStore, 'companyId' | 'dialect'>

/** What an index has of one row: the value of a field, as its canonical text. */
export interface IndexEntry {
  readonly column: Column
  /** The key of the row. */
  readonly key: string
  readonly value: string | null
}

/** Writes entries in place of those that rows had before. */
export function indexEntries(entries: readonly IndexEntry[], { companyId, dialect }: Keeper): readonly Sql[] {
  if (entries.length === 0) return []
  const rows = entries.map(({ column, key, value }) => [
    column.field?.id ?? '',
    key,
    value === null ? null : (typeOf(column).indexKey?.(value) ?? value),
  ])
  const into = insertIntoCompany(
    'field_value',
    columns.map(({ name }) => name),
  )
  const merged = sql` on conflict (company_id, field_id, row_id) do update set value = excluded.value`
  return dialect.rows(columns, rows).map((source) => fill(join([into, sql` `, source, merged], ''), [companyId]))
}

const columns: readonly Column[] = [
  { name: 'field_id', type: 'uuid', description: '' },
  { name: 'row_id', type: 'uuid', description: '' },
  { name: 'value', type: 'text', description: '', nullable: true },
]

/** Whether a write has to keep an index. A trial is undone, and so would be its entries. */
export const keepsIndex = ({ resource, isTrial }: WritePlan): boolean =>
  !isTrial && resource.own !== undefined && indexedColumns(resource).length > 0

const indexedColumns = memoize(({ own }: Resource): readonly Column[] =>
  (own?.columns ?? []).filter(({ field }) => field && field.index !== null),
)

/** What changes of rows mean for the indexes of their fields. */
export function changeIndex(plan: WritePlan, changes: readonly Change[], dialect: Dialect): readonly Sql[] {
  if (!keepsIndex(plan)) return []
  const { resource, values } = plan
  const company = { companyId: values[0], dialect }
  const all = columnsOf(resource)
  const keyIn = (row: RowValues): string => row[all.indexOf(resource.primaryKey)] ?? ''
  const entries = changes
    .filter(({ kind }) => kind !== 'deleted')
    .flatMap(({ row, changed }) =>
      indexedColumns(resource)
        // Under a new key, a row has no entries yet.
        .filter((column) => changed.includes(column) || changed.includes(resource.primaryKey))
        .map((column) => ({ column, key: keyIn(row), value: row[all.indexOf(column)] ?? null })),
    )
  const gone = changes.flatMap(({ kind, row, changed, before }) => {
    if (kind === 'deleted') return [keyIn(row)]
    return before && changed.includes(resource.primaryKey) ? [keyIn(before)] : []
  })
  if (gone.length === 0) return indexEntries(entries, company)
  // First what is gone: a key may pass from one row to another.
  return [deleteEntries(resource, gone, company), ...indexEntries(onceEach(entries), company)]
}

/** A statement cannot write an entry twice. Several rows with one new key are refused by the write itself. */
const onceEach = (entries: readonly IndexEntry[]): readonly IndexEntry[] => [
  ...new Map(entries.map((entry) => [`${entry.column.name} ${entry.key}`, entry])).values(),
]

function deleteEntries(resource: Resource, keys: readonly string[], { companyId, dialect }: Keeper): Sql {
  const [rowId] = columns.filter(({ name }) => name === 'row_id')
  if (!rowId) throw new Error('An index has no rows')
  const isGone = dialect.compare({
    column: rowId,
    value: keyword('row_id'),
    operator: 'in',
    quantifier: null,
    language: 'simple',
    operand: { param: 1, count: countOf(keys) },
  })
  const fields = indexedColumns(resource).map(({ field }) => textLiteral(field?.id ?? ''))
  return fill(
    sql`delete from ${companyRows('field_value', ofRequest)} and field_id in (${join(fields, ', ')}) and ${isGone}`,
    [companyId, keys],
  )
}
