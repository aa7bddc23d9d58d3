import { type Column, isNeeded, isWritable, type Resource, typeOf } from '../resources/define.ts'
import { foreignKeys, siblingsOf } from '../resources/relations.ts'

/** Any part of the document: plain JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** A JSON object of which each value is made only when it is written. */
export type Outline = { readonly [key: string]: Outline | (() => Json) }

/** `schemas`, `project` → a reference to what stands in the document's components. */
export const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** The schemas of everything that is sent and received. */
export function makeSchemas(resources: readonly Resource[]): Outline {
  const named = resources.flatMap((resource) => {
    const { name, methods } = resource
    const { row, selected, new: made, change, whole } = rowSchemas
    return [
      [name, () => row(resource)],
      ...(isSelectedNamed(resource)
        ? [[`${name}_selected`, () => ({ description: `What \`select\` leaves of a ${name}.`, ...selected(resource) })]]
        : []),
      ...(methods.includes('POST') ? [[`${name}_new`, () => made(resource)]] : []),
      ...(methods.includes('PATCH') ? [[`${name}_change`, () => change(resource)]] : []),
      ...(methods.includes('PUT') ? [[`${name}_whole`, () => whole(resource)]] : []),
    ]
  })
  return { error: () => error, ...Object.fromEntries(named) }
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

/** A schema of an object. */
export type ObjectSchema = JsonObject & { readonly type: 'object'; readonly properties: JsonObject }

type RowSchema = 'row' | 'selected' | 'new' | 'change' | 'whole'

/** The schemas of a row: as it is answered, whole or with `select`, and as it is sent to create, change and replace it. */
export const rowSchemas: Readonly<Record<RowSchema, (resource: Resource) => ObjectSchema>> = {
  row: (resource) => ({
    type: 'object',
    description: `${resource.description} With \`select\`, it has the selected members, and no others.`,
    properties: shownProperties(resource),
    required: [...resource.columns.keys()],
  }),
  selected: (resource) => ({ type: 'object', properties: shownProperties(resource) }),
  new: (resource) => body(`What to send for a new ${resource.name}.`, resource, neededColumns(resource)),
  change: (resource) => body(`What to send to change a ${resource.name}.`, resource, []),
  whole: (resource) =>
    body(`What to send to put a ${resource.name} in its place.`, resource, [
      resource.primaryKey,
      ...neededColumns(resource),
    ]),
}

const shownProperties = (resource: Resource): JsonObject => ({
  ...propertiesOf(resource, [...resource.columns.values()]),
  ...embedsOf(resource),
})

function body(description: string, resource: Resource, needed: readonly Column[]): ObjectSchema {
  return {
    type: 'object',
    description,
    properties: propertiesOf(resource, [...resource.columns.values()].filter(isWritable)),
    ...(needed.length > 0 ? { required: needed.map(({ name }) => name) } : {}),
    additionalProperties: false,
  }
}

/** A row to show, of these columns. */
export const exampleOf = (resource: Resource, columns: Iterable<Column>): JsonObject =>
  Object.fromEntries([...columns].map((column) => [column.name, exampleValue(resource, column)]))

/** A key is the same wherever it is shown, so that the rows of all examples belong together. */
export function exampleValue(resource: Resource, column: Column): Json {
  const { example, primaryKey, references, type, choices } = column
  const { jsonSchema, parse, toJson } = typeOf(column)
  if (example !== undefined) return JSON.parse(toJson(parse(example, column.name)))
  if (type === 'uuid' && (primaryKey || references)) return exampleKey(references ?? resource.name)
  return (type === 'choice' ? choices?.[0]?.value : jsonSchema.examples[0]) ?? null
}

/** `bid` → a UUIDv7 that is made of the name. */
function exampleKey(name: string): string {
  const digits = Bun.hash(name).toString(16).padStart(16, '0')
  return `019a3c52-6b1e-7${digits.slice(0, 3)}-9${digits.slice(3, 6)}-${digits.slice(4)}`
}

/** What a client has to send: all that the server does not make. */
export const neededColumns = (resource: Resource): Column[] => [...resource.columns.values()].filter(isNeeded)

const propertiesOf = (resource: Resource, columns: readonly Column[]): JsonObject =>
  Object.fromEntries(columns.map((column) => [column.name, columnSchema(resource, column)]))

export function columnSchema(resource: Resource, column: Column): JsonObject {
  const { primaryKey, references, minLength, maxLength, nullable, default: value } = column
  const { jsonSchema, toJson } = typeOf(column)
  const { type, ...schema } = jsonSchema
  return {
    type: nullable ? [type, 'null'].flat() : type,
    ...schema,
    examples: [exampleValue(resource, column)],
    ...choicesOf(column),
    ...rangeOf(column),
    ...(column.field && column.label !== undefined ? { title: column.label } : {}),
    ...(value === undefined ? {} : { default: JSON.parse(toJson(value)) }),
    description: [
      column.description,
      primaryKey ? 'The primary key.' : '',
      references ? `The id of a ${references} of the same company.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    ...(minLength ? { minLength, pattern: '\\S' } : {}),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(isWritable(column) ? {} : { readOnly: true }),
  }
}

/** One of these values, or a list of them. */
function choicesOf({ type, choices, nullable, minItems, maxItems }: Column): JsonObject {
  if (!choices) return {}
  const values = choices.map(({ value }) => value)
  if (type === 'choice') return { enum: nullable ? [...values, null] : values, examples: values.slice(0, 1) }
  const counts = { ...(minItems ? { minItems } : {}), ...(maxItems === undefined ? {} : { maxItems }) }
  return { items: { type: 'string', enum: values }, uniqueItems: true, ...counts, examples: [values.slice(0, 1)] }
}

/** JSON Schema knows a range of numbers alone. */
function rangeOf(column: Column): JsonObject {
  const { jsonSchema, toJson } = typeOf(column)
  if (jsonSchema.type !== 'number' && jsonSchema.type !== 'integer') return {}
  const { minimum, maximum } = column
  return {
    ...(minimum === undefined ? {} : { minimum: Number(toJson(minimum)) }),
    ...(maximum === undefined ? {} : { maximum: Number(toJson(maximum)) }),
  }
}

/** The rows of other resources that a select can show within a row of this one. */
export function embedsOf(resource: Resource): JsonObject {
  const own = foreignKeys(resource).map(({ target }) => [
    target.name,
    { description: `With \`select=*,${target.name}(*)\`.`, anyOf: [selectedRef(target), { type: 'null' }] },
  ])
  const others = siblingsOf(resource).flatMap((other) =>
    foreignKeys(other)
      .filter(({ target }) => target === resource)
      .map(() => [
        other.name,
        { description: `With \`select=*,${other.name}(*)\`.`, type: 'array', items: selectedRef(other) },
      ]),
  )
  return Object.fromEntries([...own, ...others])
}

const selectedRef = ({ name }: Resource): JsonObject => ref('schemas', `${name}_selected`)

/** What `select` leaves of a row. */
export const selectedSchema = (resource: Resource): JsonObject =>
  isSelectedNamed(resource) ? selectedRef(resource) : rowSchemas.selected(resource)

/**
 * Whether that schema has a name: where another schema refers to it, because linters warn of names that nobody uses,
 * and where a company may have added columns, because it stands in many places.
 */
const isSelectedNamed = (resource: Resource): boolean =>
  !resource.isReadOnly || Object.keys(embedsOf(resource)).length > 0
