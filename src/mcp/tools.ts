import { memoize } from '../caches/memoize.ts'
import type { ObjectSchema } from '../docs/schemas.ts'
import { isRead } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { inOrderOfInterest } from '../resources/index.ts'
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
