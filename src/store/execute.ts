import { failure } from '../errors/index.ts'
import type { NothingPlan, Plan, ReadPlan } from '../plan/plan.ts'
import { isComputed } from '../plan/selection.ts'
import type { Asker, CompanyStore, Database, Right } from './database.ts'
import { executeRead } from './execute-read.ts'
import { executeWrite } from './execute-write.ts'
import { nothing, type Result } from './result.ts'
import type { Soon } from './soon.ts'
import { translateCast } from './translate.ts'

/** Runs a plan to its end. What waits or goes on for long asks for the right again. */
export function execute(db: Database, plan: Plan, asker?: Asker): Soon<Result> {
  switch (plan.kind) {
    case 'nothing':
      return executeNothing(plan)
    case 'read':
      return (isComputed(plan.selection) ? readComputed : executeRead)(db.forRows(plan.values[0]), plan, asker?.right)
    default:
      return executeWrite(db.forRows(plan.values[0]), plan, asker)
  }
}

async function readComputed(db: CompanyStore, plan: ReadPlan, right?: Right): Promise<Result> {
  try {
    const result = await executeRead(db, plan, right)
    return result.parts ? { ...result, parts: translated(db, plan, result.parts) } : result
  } catch (error) {
    throw translateCast(db, plan.selection, error)
  }
}

async function* translated(db: CompanyStore, plan: ReadPlan, parts: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* parts
  } catch (error) {
    throw translateCast(db, plan.selection, error)
  }
}

function executeNothing({ single }: NothingPlan): Result {
  if (single) throw failure.notSingle(0)
  return nothing
}
