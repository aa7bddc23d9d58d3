import type { Operation } from '../keys/narrowing.ts'
import { permitOperation, permitResource, type Rights } from '../keys/rights.ts'
import type { Method } from '../methods.ts'
import type { Plan, Selected } from '../plan/plan.ts'
import { namesKeys } from '../plan/plan-condition.ts'
import type { Preferences } from '../request/preferences.ts'
import type { Call } from './call.ts'

/** Refuses what the access of a credential does not include. Most credentials are not narrowed at all. */
export const permitNarrowed = ({ caller, resource, method, request }: Call): void => {
  if (caller.rights !== null)
    permitRequest(caller.rights, { name: resource.name, method, preferences: request.preferences })
}

/** The same for what only the plan tells: rows of other resources that are shown, and conditions. */
export const permitPlanned = ({ caller, plan }: Call): void => {
  if (caller.rights !== null) permitPlan(caller.rights, plan)
}

/** Both once more. A right may end before there is a plan. */
export const permitAgain = (call: Call): void => {
  permitNarrowed(call)
  if ((call.plan as Plan | undefined) !== undefined) permitPlanned(call)
}

interface Asked {
  readonly name: string
  readonly method: Method
  readonly preferences: Preferences
}

function permitRequest(rights: Rights, { name, method, preferences }: Asked): void {
  permitResource(rights, name)
  for (const operation of neededBy[method]) permitOperation(rights, operation)
  const merges = method === 'POST' && preferences.resolution === 'merge-duplicates'
  if (merges) permitOperation(rights, 'change')
  // Rows that were there before are read, in an answer that shows them. What was created is known to the sender.
  const showsOthers = merges ? preferences.return !== 'minimal' : preferences.return === 'representation'
  if (showsOthers && (merges || method !== 'POST')) permitOperation(rights, 'read')
}

/** What each method does to rows. PUT creates the row, or changes the one that is there. */
export const neededBy: Readonly<Record<Method, readonly Operation[]>> = {
  GET: ['read'],
  HEAD: ['read'],
  POST: ['create'],
  PUT: ['create', 'change'],
  PATCH: ['change'],
  DELETE: ['delete'],
}

function permitPlan(rights: Rights, plan: Plan): void {
  if (plan.kind === 'nothing') return
  permitSelection(rights, plan.selection)
  // How many rows meet a condition tells what is in them.
  const isChange = plan.kind === 'update' || plan.kind === 'delete'
  if (isChange && !plan.where.every((one) => namesKeys(one, plan.resource))) permitOperation(rights, 'read')
}

function permitSelection(rights: Rights, selection: readonly Selected[]): void {
  for (const selected of selection) {
    if (selected.kind !== 'embed') continue
    permitResource(rights, selected.relation.target.name)
    permitOperation(rights, 'read')
    permitSelection(rights, selected.plan.selection)
  }
}
