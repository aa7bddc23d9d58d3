import { failure } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys } from '../resources/relations.ts'
import type { Database, Store } from './database.ts'
import { executeRead } from './execute-read.ts'
import { executeWrite, type WritePlan } from './execute-write.ts'
import { nothing, type Result } from './result.ts'

/** Runs a plan to its end. What an engine has to say against it becomes a failure that a client understands. */
export async function execute(db: Database, plan: Plan): Promise<Result> {
  try {
    switch (plan.kind) {
      case 'nothing':
        if (plan.single) throw failure.notSingle(0)
        return nothing
      case 'read':
        return await executeRead(db.forCompany(plan.companyId), plan)
      default:
        return await executeWrite(db.forCompany(plan.companyId), plan)
    }
  } catch (error) {
    throw translate(db, plan, error)
  }
}

export function translate(db: Store, plan: Plan, error: unknown): unknown {
  switch (db.explain(error)) {
    case 'foreign key':
      return plan.kind === 'nothing' || plan.kind === 'read' ? error : foreignKeyFailure(plan)
    case 'duplicate':
      if (plan.kind === 'insert' && plan.onlyNew) return failure.rowExists()
      return plan.kind === 'nothing' ? error : failure.duplicate(plan.resource.name, plan.resource.primaryKey.name)
    default:
      return error
  }
}

/** An engine does not always tell which side of the key broke; the plan does. */
function foreignKeyFailure(plan: WritePlan): Error {
  const { name } = plan.resource
  const sets = (column: string) =>
    plan.kind === 'insert' || (plan.kind === 'update' && plan.changes.some((change) => change.column.name === column))
  const own = foreignKeys(plan.resource).find((key) => sets(key.own.name))
  if (own) return failure.referenceMissing(name, own.own.name, own.target.name)
  const foreign = resources.flatMap((resource) => foreignKeys(resource).map((key) => ({ by: resource.name, ...key })))
  const [key] = foreign.filter(({ target }) => target === plan.resource)
  return failure.stillReferenced(name, key?.by ?? name, key?.constraint ?? '')
}
