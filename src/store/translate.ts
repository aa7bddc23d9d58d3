import { failure } from '../errors/index.ts'
import type { Selected, WritePlan } from '../plan/plan.ts'
import { isComputed } from '../plan/selection.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys } from '../resources/relations.ts'
import { transitionFailure } from '../resources/transitions.ts'
import type { Problem, Store } from './database.ts'

/** What an engine has to say against a write → a failure that a client understands. */
export function translate(db: Store, plan: WritePlan, error: unknown): unknown {
  switch (db.explain(error)) {
    case 'foreign key':
      return foreignKeyFailure(plan)
    case 'duplicate':
      if (plan.kind === 'insert' && plan.onlyNew) return failure.rowExists()
      return failure.duplicate(plan.resource.name, plan.resource.primaryKey.name)
    case 'refused':
      return refusal(plan, error)
    default:
      return translateCast(db, plan.returning, error)
  }
}

/** The words of a refused transition name the column, the value of the row and the new one. */
function refusal({ resource }: WritePlan, error: unknown): unknown {
  const words = error instanceof Error ? error.message : ''
  if (words.includes('refused version')) return failure.fieldsChanged()
  const [, found] = /refused transition (\[.*\])/s.exec(words) ?? []
  if (found === undefined) return error
  const [name, from, to] = JSON.parse(found)
  return transitionFailure(resource, name, from, to)
}

const castFailures: Partial<Record<Problem, (cause: unknown) => Error>> = {
  unreadable: failure.castUnreadable,
  'out of range': failure.castOutOfRange,
  'no time': failure.castNoTime,
}

/** The same for what is shown. Where nothing is cast, such an error is a mistake of ours, and stays as it is. */
export function translateCast(db: Store, shown: readonly Selected[], error: unknown): unknown {
  const problem = db.explain(error)
  return (problem && isComputed(shown) && castFailures[problem]?.(error)) || error
}

/** An engine does not always tell which side of the key broke; the plan does. */
function foreignKeyFailure(plan: WritePlan): Error {
  const { name, primaryKey } = plan.resource
  const sets = (column: string) =>
    plan.kind === 'insert' || (plan.kind === 'update' && plan.changes.some((change) => change.column.name === column))
  const own = foreignKeys(plan.resource).find((key) => sets(key.own.name))
  if (own) return failure.referenceMissing(name, own.own.name, own.target.name)
  const foreign = resources.flatMap((resource) => foreignKeys(resource).map((key) => ({ by: resource.name, ...key })))
  const [key] = foreign.filter(({ target }) => target.name === plan.resource.name)
  return failure.stillReferenced(name, primaryKey.name, key?.by ?? name, key?.constraint ?? '')
}
