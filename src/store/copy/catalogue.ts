import type { Rows, Statements } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import { keyword, type Sql } from '../sql.ts'

export type EngineName = Dialect['name']

export interface TableColumn {
  readonly name: string
  /** As the engine calls it. */
  readonly type: string
}

/** A table as the engine itself describes it: columns by name, and those of the primary key in its order. */
export interface Table {
  readonly name: string
  readonly columns: readonly TableColumn[]
  readonly key: readonly TableColumn[]
}

type Read = Statements['read']

/** Every table of the schema, each behind those that it refers to. */
export async function readCatalogue(read: Read, engine: EngineName): Promise<readonly Table[]> {
  const { columns, references } = questions[engine]
  const tables = Map.groupBy(await read(columns), ([table]) => String(table))
  const links = (await read(references)).map(([from, to]) => [String(from), String(to)] as const)
  const found = [...tables].map(([name, rows]) => tableOf(name, rows))
  return inOrder(found, links)
}

/** Table, column, type and place in the primary key, and which table refers to which. */
const questions: Record<EngineName, { readonly columns: Sql; readonly references: Sql }> = {
  sqlite: {
    columns:
      keyword(`select t.name, c.name, lower(c.type), nullif(c.pk, 0) from pragma_table_list t, pragma_table_xinfo(t.name) c
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.name`),
    references: keyword(`select t.name, f."table" from pragma_table_list t, pragma_foreign_key_list(t.name) f
      where t.schema = 'main' and t.type = 'table'`),
  },
  postgres: {
    columns:
      keyword(`select t.relname::text, c.attname::text, format_type(c.atttypid, null), array_position(k.indkey::int[], c.attnum::int)
      from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      left join pg_index k on k.indrelid = t.oid and k.indisprimary
      where t.relnamespace = quote_ident(current_schema())::regnamespace and t.relkind in ('r', 'p')
      order by t.relname::text collate "C", c.attname::text collate "C"`),
    references: keyword(`select t.relname::text, o.relname::text from pg_constraint f
      join pg_class t on t.oid = f.conrelid join pg_class o on o.oid = f.confrelid
      where f.contype = 'f' and t.relnamespace = quote_ident(current_schema())::regnamespace`),
  },
}

function tableOf(name: string, rows: Rows): Table {
  const columns = rows.map(([, column, type, place]) => ({
    name: String(column),
    type: String(type),
    place: place === null ? null : Number(place),
  }))
  const key = columns
    .filter(({ place }) => place !== null)
    .sort((one, other) => Number(one.place) - Number(other.place))
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`)
  return { name, columns, key }
}

function inOrder(tables: readonly Table[], links: readonly (readonly [string, string])[]): Table[] {
  const placed: Table[] = []
  const names = new Set<string>()
  while (placed.length < tables.length) {
    const isFree = ({ name }: Table) =>
      !names.has(name) && links.every(([from, to]) => from !== name || to === name || names.has(to))
    const next = tables.find(isFree)
    if (!next) throw new Error('Tables refer to each other in a circle.')
    placed.push(next)
    names.add(next.name)
  }
  return placed
}
