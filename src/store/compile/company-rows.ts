import type { CompanyTable } from '../cluster/layout.ts'
import { company, identifier, join, type Parameter, type Piece, Sql, sql, type Value } from '../sql.ts'

/** Whoever knows a company: a company's store, a reference to something of its own. */
export interface OfCompany<Company extends string | Parameter = string> {
  readonly companyId: Company
}

/** What is compiled for every company is run for that of the request. */
export const ofRequest: OfCompany<Parameter> = { companyId: company }

/** `"bid" as "b" where "b"."company_id" = $1`: a company's table for `from`. More conditions follow with `and`. */
export const companyRows = <Company extends string | Parameter>(
  table: CompanyTable,
  of: OfCompany<Company>,
  alias: string = table,
): Sql<Company> => ownOnly(`${named(table, alias)} where`, alias, of)

/** The same for `join`: `"bid" as "b" on "b"."company_id" = $1` */
export const joinedCompanyRows = (table: CompanyTable, of: OfCompany, alias: string = table): Sql =>
  ownOnly(`${named(table, alias)} on`, alias, of)

/** `update "bid" set … where "bid"."company_id" = $1` */
export function updateCompanyRows(table: CompanyTable, of: OfCompany, changes: Sql): Sql
export function updateCompanyRows(table: CompanyTable, of: OfCompany<Parameter>, changes: Piece): Piece
export function updateCompanyRows(table: CompanyTable, of: OfCompany<string | Parameter>, changes: Piece): Piece {
  return sql`update ${identifier<[string]>(table)} set ${changes}${ownOnly(' where', table, of)}`
}

const named = (table: string, alias: string): string => (alias === table ? `"${table}"` : `"${table}" as "${alias}"`)

const ownOnly = <Company extends string | Parameter>(
  before: string,
  alias: string,
  { companyId }: OfCompany<Company>,
): Sql<Company> => new Sql([`${before} "${alias}"."company_id" = `, ''], [companyId])

/** `insert into "bid" ("company_id", "id") values ($1, $2)` */
export function insertCompanyRow(table: CompanyTable, of: OfCompany, row: Readonly<Record<string, Value>>): Sql {
  const values = [of.companyId, ...Object.values(row)].map((value) => sql`${value}`)
  return sql`${insertIntoCompany(table, Object.keys(row))} values (${join(values, ', ')})`
}

/** `insert into "bid" ("company_id", "id")`: each of the rows that follow begins with its company. */
export function insertIntoCompany(table: CompanyTable, columns: Iterable<string>): Sql {
  const names = ['company_id', ...columns].map((column) => identifier(column))
  return sql`insert into ${identifier<[string]>(table)} (${join(names, ', ')})`
}

/** A table with the rows of every company, for what is no company's own: finding out who asks, sweeping, copying, the operator. */
export const tableOfAllCompanies = (table: string): Sql => identifier(table)
