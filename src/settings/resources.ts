import { type Column, isNeeded, isWritable, type Resource, typeOf } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { labelOf, namingColumnOf, pagePathOf } from '../resources/labels.ts'
import { ok, type SettingsRoute } from './context.ts'
import type * as documents from './documents.ts'

/** The parts of the definitions that the page needs to list, create and change the rows of any resource. */
export const resourcesRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/resources', role: 'viewer', handle: async () => ok(resources.map(documentOf)) },
]

const documentOf = (resource: Resource): documents.Resource => ({
  name: resource.name,
  one: resource.labels.one,
  many: resource.labels.many,
  path: pagePathOf(resource),
  description: resource.description,
  primary_key: resource.primaryKey.name,
  naming_column: namingColumnOf(resource).name,
  read_only: resource.isReadOnly,
  takes_fields: resource.takesFields ?? false,
  columns: [...resource.columns.values()].map((column) => ({
    name: column.name,
    label: labelOf(resource, column),
    description: column.description,
    type: column.type,
    references: column.references ?? null,
    nullable: column.nullable ?? false,
    writable: !resource.isReadOnly && isWritable(column),
    needed: !resource.isReadOnly && isNeeded(column),
    default: defaultOf(column),
    max_length: column.maxLength ?? null,
  })),
})

/** As a row of the API has it. */
const defaultOf = (column: Column): unknown =>
  column.default === undefined ? null : JSON.parse(typeOf(column).toJson(column.default))
