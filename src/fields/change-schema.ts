import { forgetCompany } from '../keys/memory.ts'
import { type Actor, type AuditEvent, auditStatement } from '../people/audit.ts'
import type { Companies, CompanyStore, Steps } from '../store/database.ts'
import { type Sql, sql } from '../store/sql.ts'
import type { FieldDocument } from './field.ts'
import { type FieldSet, fieldOf, foundSet, selectFields, selectSet, writeSet } from './field-rows.ts'

/** What a change of the fields of one resource finds. */
export interface Before {
  readonly own: CompanyStore
  /** In their order, the archived ones too. */
  readonly fields: readonly FieldDocument[]
  readonly set: FieldSet
}

interface Change<Result> {
  readonly statements: readonly Sql[]
  /** Where rows look different, because they have other fields or in another order: what else is different then. */
  readonly set?: Partial<Pick<FieldSet, 'restored' | 'deleted'>>
  /** Where rows look the same, but an index is to be built. */
  readonly isPending?: boolean
  readonly result: Result
}

/** Throws to change nothing. */
export type Decide<Result> = (before: Before) => Change<Result>

/** Changes of a company's fields happen one after another, so that limits and positions hold. */
export async function changeSchema<Result>(
  db: Companies,
  { companyId, resource }: { readonly companyId: string; readonly resource: string },
  decide: Decide<Result>,
): Promise<Result> {
  const own = db.forCompany(companyId)
  let result: Result | undefined

  function* work(): Steps {
    const [companies, rows = [], sets = []] = yield [
      sql`select fields_version from company where id = ${companyId}${own.dialect.forUpdate}`,
      selectFields(own, resource),
      selectSet(own, resource),
    ]
    const set = foundSet(sets)
    const change = decide({ own, fields: rows.map(fieldOf), set })
    result = change.result
    if (change.statements.length === 0) return
    const version = Number(companies?.[0]?.[0]) + 1
    yield [
      ...change.statements,
      sql`update company set fields_version = ${version} where id = ${companyId}`,
      ...nextSet(change, set, version).map((next) => writeSet(own, resource, next)),
    ]
  }

  await own.transactInSteps(work())
  forgetCompany(db, companyId)
  return result as Result
}

function nextSet(change: Change<unknown>, set: FieldSet, version: number): readonly FieldSet[] {
  if (change.set) return [{ ...set, ...change.set, version, isPending: true }]
  return change.isPending ? [{ ...set, isPending: true }] : []
}

type FieldAction = 'created' | 'changed' | 'reordered' | 'archived' | 'restored' | 'deleted'

/** The audit record of a change of a field. */
export const audited = (
  { companyId }: CompanyStore,
  by: Actor,
  action: FieldAction,
  target: string,
  details: AuditEvent['details'],
): Sql => auditStatement({ ...by, companyId, action: `field.${action}`, target, details })
