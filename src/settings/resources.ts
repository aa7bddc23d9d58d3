import { ownResources } from '../fields/own-resources.ts'
import { type Column, isNeeded, isWritable, type Resource, typeOf } from '../resources/define.ts'
import { labelOf, namingColumnOf, pagePathOf } from '../resources/labels.ts'
import { companyOf, ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/rows.ts'

/** The parts of the definitions that the page needs to list, create and change the rows of any resource. */
export const resourcesRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/resources', role: 'viewer', handle },
]

async function handle(context: SettingsContext) {
  const { id, fieldsVersion } = companyOf(context)
  const { all } = await ownResources(context.db, id, fieldsVersion)
  return ok(all.filter(({ isUnlisted }) => !isUnlisted).map(documentOf))
}

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
    choices: column.choices?.map(({ isClosed, ...choice }) => ({ ...choice, closed: isClosed })) ?? null,
    states: column.field?.states ?? null,
    own: column.field !== undefined,
  })),
})

/** As a row of the API has it. */
const defaultOf = (column: Column): unknown =>
  column.default === undefined ? null : JSON.parse(typeOf(column).toJson(column.default))
