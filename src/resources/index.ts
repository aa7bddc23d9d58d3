import { failure } from '../errors/index.ts'
import { bid } from './bid.ts'
import type { Column, Resource } from './define.ts'
import { event } from './event.ts'
import { field } from './field.ts'
import { nearest } from './nearest.ts'
import { project } from './project.ts'

export { bid, event, field, project }

/** Every resource, each after those that it references. */
export const resources: readonly Resource[] = [field, bid, project, event]

/** Those whose rows the settings page lists. */
export const listedResources = resources.filter(({ isUnlisted }) => !isUnlisted)

/** What is built on others first, because it is what people look for; what can only be read last. */
export const inOrderOfInterest = (known: readonly Resource[]): readonly Resource[] => [
  ...known.filter(({ isReadOnly }) => !isReadOnly).toReversed(),
  ...known.filter(({ isReadOnly }) => isReadOnly).toReversed(),
]

const byName = new Map<string, Resource>(resources.map((resource) => [resource.name, resource]))

export const hasResource = (name: string): boolean => byName.has(name)

export function findResource(name: string): Resource {
  const resource = byName.get(name)
  if (!resource) throw failure.resourceUnknown(name, nearest(name, [...byName.keys()]))
  return resource
}

/** `column` of the resource, for a select, a filter or an order. */
export function findColumn(resource: Resource, column: string): Column {
  const found = resource.columns.get(column)
  if (found) return found
  const names = [...resource.columns.keys()]
  const close = nearest(column, names)
  const perhaps = close ? `Perhaps you meant to reference the column "${resource.name}.${close}". ` : ''
  throw failure.columnUnknown(`${resource.name}.${column}`, `${perhaps}Columns: ${names.join(', ')}.`)
}
