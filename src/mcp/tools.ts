import { memoize } from '../caches/memoize.ts'
import type { ObjectSchema } from '../docs/schemas.ts'
import type { Rights } from '../keys/rights.ts'
import { isRead } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { inOrderOfInterest } from '../resources/index.ts'
import { neededBy } from '../rest/permit-rights.ts'
import type { Visit } from '../rest/visit.ts'
import { listRows } from './list-rows.ts'
import { rowActions } from './row-actions.ts'
import type { Action } from './tool.ts'

/** A tool as agents see it. */
interface Described {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly annotations: Readonly<Record<string, boolean>>
}

export interface Tool {
  readonly resource: Resource
  readonly action: Action
  readonly described: Described
}

/** `list_project` and so on: every action with every resource that has its method. */
export const toolsFor = memoize(
  (resources: readonly Resource[]): ReadonlyMap<string, Tool> =>
    new Map(
      inOrderOfInterest(resources).flatMap((resource) =>
        [listRows, ...rowActions]
          .filter(({ method }) => resource.methods.includes(method))
          .map((action) => {
            const described = describe(resource, action)
            return [described.name, { resource, action, described }] as const
          }),
      ),
    ),
)

function describe(resource: Resource, action: Action): Described {
  const { method } = action
  return {
    name: `${action.verb}_${resource.name}`,
    title: action.title(resource),
    description: action.description(resource),
    inputSchema: action.inputSchema(resource),
    annotations: {
      readOnlyHint: isRead(method),
      destructiveHint: method === 'DELETE' || method === 'PATCH',
      idempotentHint: method !== 'POST',
      openWorldHint: false,
    },
  }
}

/** Those that the credential allows. */
export const toolsOf = ({ caller, resources }: Pick<Visit, 'caller' | 'resources'>): readonly Described[] =>
  [...toolsFor(resources).values()].flatMap(({ action, resource, described }) => {
    const isAllowed = caller.access === 'read-write' || isRead(action.method)
    return isAllowed && (caller.rights === null || includes(caller.rights, resource, action)) ? [described] : []
  })

const includes = ({ resources: names, may }: Rights, { name }: Resource, { method }: Action): boolean =>
  (names?.includes(name) ?? true) && neededBy[method].every((operation) => may?.includes(operation) ?? true)
