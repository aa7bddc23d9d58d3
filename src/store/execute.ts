import { failure } from '../errors.ts'
import type { NothingPlan, Plan } from '../plan/plan.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys } from '../resources/relations.ts'
import type { Soon } from '../soon.ts'
import type { Database, Store } from './database.ts'
import { executeRead } from './execute-read.ts'
import { executeWrite, type WritePlan } from './execute-write.ts'
import { nothing, type Result } from './result.ts'

/** Runs a plan to its end. */
export function execute(db: Database, plan: Plan): Soon<Result> {
  switch (plan.kind) {
    case 'nothing':
      return executeNothing(plan)
    case 'read':
      return executeRead(db.forCompany(plan.companyId), plan)
    default:
      return executeChange(db, plan)
  }
}

function executeNothing({ single }: NothingPlan): Result {
  if (single) throw failure.notSingle(0)
  return nothing
}

async function executeChange(db: Database, plan: WritePlan): Promise<Result> {
  try {
    return await executeWrite(db.forCompany(plan.companyId), plan)
  } catch (error) {
    throw translate(db, plan, error)
  }
}

/** What an engine has to say against a write → a failure that a client understands. */
export function translate(db: Store, plan: WritePlan, error: unknown): unknown {
  switch (db.explain(error)) {
    case 'foreign key':
      return foreignKeyFailure(plan)
    case 'duplicate':
      if (plan.kind === 'insert' && plan.onlyNew) return failure.rowExists()
      return failure.duplicate(plan.resource.name, plan.resource.primaryKey.name)
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
