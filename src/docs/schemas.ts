import { type Column, isNeeded, isWritable, type Resource, typeOf } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys } from '../resources/relations.ts'

/** Any part of the document: plain JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** `schemas`, `project` → a reference to what stands in the document's components. */
export const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** The schemas of everything that is sent and received. */
export function makeSchemas(): JsonObject {
  return Object.assign({ error }, ...resources.map(schemasOf))
}

const words = { type: ['string', 'null'] } as const

const error: JsonObject = {
  type: 'object',
  description: 'What went wrong, and how to fix the request.',
  properties: {
    code: { type: 'string', description: 'Stays the same for the same failure: this is what programs look at.' },
    message: { type: 'string', description: 'What went wrong, for people to read.' },
    details: { ...words, description: 'More about it, where there is more.' },
    hint: { ...words, description: 'How to fix the request, where that is known.' },
  },
  required: ['code', 'message', 'details', 'hint'],
}

function schemasOf(resource: Resource): JsonObject {
  const { name, primaryKey } = resource
  const columns = [...resource.columns.values()]
  const writable = columns.filter(isWritable)
  const needed = neededColumns(resource)
  return {
    [name]: {
      type: 'object',
      description: `${resource.description} With \`select\`, it has the selected members, and no others.`,
      properties: { ...propertiesOf(columns), ...embedsOf(resource) },
    },
    [`${name}_new`]: body(`What to send for a new ${name}.`, writable, needed),
    [`${name}_change`]: body(`What to send to change a ${name}.`, writable, []),
    [`${name}_whole`]: body(`What to send to put a ${name} in its place.`, writable, [primaryKey, ...needed]),
  }
}

function body(description: string, columns: readonly Column[], needed: readonly Column[]): JsonObject {
  return {
    type: 'object',
    description,
    properties: propertiesOf(columns),
    ...(needed.length > 0 ? { required: needed.map(({ name }) => name) } : {}),
    additionalProperties: false,
  }
}

/** A row to show, of these columns. */
export const exampleOf = (columns: readonly Column[]): JsonObject =>
  Object.fromEntries(columns.map((column) => [column.name, typeOf(column).jsonSchema.examples[0] ?? null]))

/** What a client has to send: all that the server does not make. */
export const neededColumns = (resource: Resource): Column[] => [...resource.columns.values()].filter(isNeeded)

const propertiesOf = (columns: readonly Column[]): JsonObject =>
  Object.fromEntries(columns.map((column) => [column.name, schemaOf(column)]))

function schemaOf(column: Column): JsonObject {
  const { primaryKey, references, minLength, maxLength, nullable, default: value } = column
  const { jsonSchema, toJson } = typeOf(column)
  const { type, ...schema } = jsonSchema
  return {
    type: nullable ? [type, 'null'] : type,
    ...schema,
    ...(value === undefined ? {} : { default: JSON.parse(toJson(value)) }),
    description: [
      column.description,
      primaryKey ? 'The primary key.' : '',
      references ? `The id of a ${references} of the same company.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    ...(minLength === undefined ? {} : { minLength, pattern: '\\S' }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(isWritable(column) ? {} : { readOnly: true }),
  }
}

/** The rows of other resources that a select can show within a row of this one. */
function embedsOf(resource: Resource): JsonObject {
  const own = foreignKeys(resource).map(({ target }) => [
    target.name,
    { description: `With \`select=*,${target.name}(*)\`.`, anyOf: [ref('schemas', target.name), { type: 'null' }] },
  ])
  const others = resources.flatMap((other) =>
    foreignKeys(other)
      .filter(({ target }) => target === resource)
      .map(() => [
        other.name,
        { description: `With \`select=*,${other.name}(*)\`.`, type: 'array', items: ref('schemas', other.name) },
      ]),
  )
  return Object.fromEntries([...own, ...others])
}
