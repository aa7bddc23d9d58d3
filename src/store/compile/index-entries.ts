import { type Column, typeOf } from '../../resources/define.ts'
import type { CompanyStore } from '../database.ts'
import { fill, join, type Sql, sql } from '../sql.ts'
import { insertIntoCompany } from './company-rows.ts'

/** What an index has of one row: the value of a field, as its canonical text. */
export interface IndexEntry {
  readonly column: Column
  /** The key of the row. */
  readonly key: string
  readonly value: string | null
}

/** Writes entries in place of those that rows had before. */
export function indexEntries(
  entries: readonly IndexEntry[],
  { companyId, dialect }: Pick<CompanyStore, 'companyId' | 'dialect'>,
): readonly Sql[] {
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
