import type { CompanyTable } from '../cluster/layout.ts'
import { company, empty, identifier, join, type Parameter, type Piece, Sql, sql, type Value } from '../sql.ts'

/** Anything that belongs to a company, such as its store. */
export interface OfCompany<Company extends string | Parameter = string> {
  readonly companyId: Company
}

/** For statements that are compiled once for all companies: the company is a parameter. */
export const ofRequest: OfCompany<Parameter> = { companyId: company }

/** `"bid" as "b" where "b"."company_id" = $1`: a company's table for `from`. More conditions follow with `and`. */
export const companyRows = <Company extends string | Parameter>(
  table: CompanyTable,
  of: OfCompany<Company>,
  alias: string = table,
): Sql<Company> => ownOnly(`${named(table, alias)} where`, alias, of)

/** The same for `join`: `"bid" as "b" on "b"."company_id" = $1` */
export const joinedCompanyRows = <Company extends string | Parameter>(
  table: CompanyTable,
  of: OfCompany<Company>,
  alias: string = table,
): Sql<Company> => ownOnly(`${named(table, alias)} on`, alias, of)

/** `update "bid" set … where "bid"."company_id" = $1`. What the changes are taken `from` is no table. */
export function updateCompanyRows(table: CompanyTable, of: OfCompany, changes: Sql): Sql
export function updateCompanyRows(table: CompanyTable, of: OfCompany<Parameter>, changes: Piece, from?: Piece): Piece
export function updateCompanyRows(
  table: CompanyTable,
  of: OfCompany<string | Parameter>,
  changes: Piece,
  from: Piece = empty,
): Piece {
  return sql`update ${identifier<[string]>(table)} set ${changes}${from}${ownOnly(' where', table, of)}`
}

const named = (table: string, alias: string): string => (alias === table ? `"${table}"` : `"${table}" as "${alias}"`)

const ownOnly = <Company extends string | Parameter>(
  before: string,
  alias: string,
  { companyId }: OfCompany<Company>,
): Sql<Company> => new Sql([`${before} "${alias}"."company_id" = `, ''], [companyId])

/** `insert into "bid" ("company_id", "id") values ($1, $2)` */
export const insertCompanyRow = (table: CompanyTable, of: OfCompany, row: Readonly<Record<string, Value>>): Sql =>
  insertCompanyRows(table, of, [row])

/** The same for several rows, which have the same columns in the same order. */
export function insertCompanyRows(
  table: CompanyTable,
  of: OfCompany,
  rows: readonly Readonly<Record<string, Value>>[],
): Sql {
  const values = rows.map((row) => {
    const own = [of.companyId, ...Object.values(row)].map((value) => sql`${value}`)
    return sql`(${join(own, ', ')})`
  })
  return sql`${insertIntoCompany(table, Object.keys(rows[0] ?? {}))} values ${join(values, ', ')}`
}

/** `insert into "bid" ("company_id", "id")`: each of the rows that follow starts with its company. */
export function insertIntoCompany(table: CompanyTable, columns: Iterable<string>): Sql {
  const names = ['company_id', ...columns].map((column) => identifier(column))
  return sql`insert into ${identifier<[string]>(table)} (${join(names, ', ')})`
}

/** `insert into "event" ("company_id", "id") select "i"."company_id", … from "event_inbox" as "i" where "i"."company_id" = $1` */
export function copyCompanyRows(
  table: CompanyTable,
  row: Readonly<Record<string, Sql>>,
  from: { readonly table: CompanyTable; readonly alias: string },
  of: OfCompany,
): Sql {
  const values = [identifier(from.alias, 'company_id'), ...Object.values(row)]
  return sql`${insertIntoCompany(table, Object.keys(row))} select ${join(values, ', ')} from ${companyRows(from.table, of, from.alias)}`
}

/** A table with the rows of all companies: for authentication, sweeping, copying and the operator's commands. */
export const tableOfAllCompanies = (table: string): Sql => identifier(table)
