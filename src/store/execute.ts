import { failure } from '../errors/index.ts'
import type { NothingPlan, Plan } from '../plan/plan.ts'
import type { Database, Right } from './database.ts'
import { executeRead } from './execute-read.ts'
import { executeWrite } from './execute-write.ts'
import { nothing, type Result } from './result.ts'
import type { Soon } from './soon.ts'

/** Runs a plan to its end. What waits or goes on for long asks `right` again. */
export function execute(db: Database, plan: Plan, right?: Right): Soon<Result> {
  switch (plan.kind) {
    case 'nothing':
      return executeNothing(plan)
    case 'read':
      return executeRead(db.forRows(plan.values[0]), plan, right)
    default:
      return executeWrite(db.forRows(plan.values[0]), plan, right)
  }
}

function executeNothing({ single }: NothingPlan): Result {
  if (single) throw failure.notSingle(0)
  return nothing
}
