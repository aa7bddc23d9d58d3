import type { CompanyTable } from '../cluster/layout.ts'
import { identifier, join, Sql, sql, type Value } from '../sql.ts'

/** Whoever knows a company: a plan, a company's store, a reference to something of its own. */
export interface OfCompany {
  readonly companyId: string
}

/** `"bid" as "b" where "b"."company_id" = $1`: a company's table for `from`. More conditions follow with `and`. */
export const companyRows = (table: CompanyTable, of: OfCompany, alias: string = table): Sql =>
  ownOnly(`${named(table, alias)} where`, alias, of)

/** The same for `join`: `"bid" as "b" on "b"."company_id" = $1` */
export const joinedCompanyRows = (table: CompanyTable, of: OfCompany, alias: string = table): Sql =>
  ownOnly(`${named(table, alias)} on`, alias, of)

/** `update "bid" set … where "bid"."company_id" = $1` */
export const updateCompanyRows = (table: CompanyTable, of: OfCompany, changes: Sql): Sql =>
  sql`update ${identifier<[string]>(table)} set ${changes}${ownOnly(' where', table, of)}`

const named = (table: string, alias: string): string => (alias === table ? `"${table}"` : `"${table}" as "${alias}"`)

const ownOnly = (before: string, alias: string, { companyId }: OfCompany): Sql =>
  new Sql([`${before} "${alias}"."company_id" = `, ''], [companyId])

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
