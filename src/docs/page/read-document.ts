import type * as openapi from './openapi-types.ts'

/** A parameter, and where the page explains it. */
export interface Parameter extends openapi.ParameterObject {
  /** The id of its explanation; null where one resource alone has it, whose operation explains it. */
  readonly anchor: string | null
}

export interface Answer extends openapi.ResponseObject {
  readonly status: string
}

export interface Operation extends Pick<openapi.OperationObject, 'summary' | 'description'> {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly needsKey: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Body | null
  /** Those without an error of ours, the usual one first. */
  readonly answers: readonly Answer[]
  readonly failedStatuses: readonly string[]
}

interface Body extends openapi.Body {
  readonly members: readonly { readonly name: string; readonly anchor: string; readonly isNeeded: boolean }[]
}

/** A member of a row. */
export interface Field {
  readonly name: string
  readonly schema: openapi.Schema
  /** Whether a new row must be sent with it. */
  readonly isNeeded: boolean
  /** Those of a filter by it. */
  readonly operators: readonly string[]
}

/** The operations of one tag. */
export interface Group extends openapi.Tag {
  readonly operations: readonly Operation[]
  /** None where the tag has no rows. */
  readonly fields: readonly Field[]
}

/** The document in the order in which people read it, with its references followed. */
export interface Reference extends Pick<openapi.Document, 'info' | 'components'> {
  readonly serverUrl: string
  readonly groups: readonly Group[]
  readonly webhooks: openapi.Named<openapi.Webhook>
  /** Headers that every answer has to a request with a key. */
  readonly commonHeaders: readonly string[]
}

export function readDocument(document: openapi.Document): Reference {
  const { info, components, servers, tags } = document
  const groups = tags.map((tag) => groupOf(document, tag)).filter(({ operations }) => operations.length > 0)
  const webhooks = Object.entries(document.webhooks ?? {}).map(([name, { post }]) => [name, post])
  return {
    ...{ info, components, groups },
    webhooks: Object.fromEntries(webhooks),
    serverUrl: servers[0]?.url ?? '',
    commonHeaders: commonHeadersOf(groups),
  }
}

function groupOf(document: openapi.Document, tag: openapi.Tag): Group {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag.name))
      .map(([method, operation]) => operationOf(document, tag, { path, method, operation })),
  )
  return { ...tag, operations, fields: fieldsOf(document, operations) }
}

interface Found {
  readonly path: string
  readonly method: string
  readonly operation: openapi.OperationObject
}

function operationOf(document: openapi.Document, tag: openapi.Tag, { path, method, operation }: Found): Operation {
  const { summary, description, security, parameters = [], requestBody, responses } = operation
  const all = Object.entries(responses).map(([status, answer]) => ({ status, ...resolved(document, answer) }))
  const known = Object.values(document.components.examples).map((failure) => String(failure['x-status']))
  const isFailed = ({ status }: Answer) => status === 'default' || known.includes(status)
  const created = (answer: Answer) => Number(method === 'post' && answer.status === '201')
  return {
    ...{ id: idOf(summary), method: method.toUpperCase(), path, summary, description },
    needsKey: security.some((schemes) => Object.keys(schemes).length > 0),
    parameters: parameters.map((ref) => {
      const parameter = resolved<openapi.ParameterObject>(document, ref)
      return { ...parameter, anchor: anchorOf(document, tag, ref, parameter) }
    }),
    body: requestBody ? { ...requestBody, members: membersOf(document, tag, requestBody) } : null,
    answers: all.filter((answer) => !isFailed(answer)).toSorted((one, other) => created(other) - created(one)),
    failedStatuses: all.filter(isFailed).map(({ status }) => status),
  }
}

function membersOf(document: openapi.Document, { name: tag }: openapi.Tag, body: openapi.Body): Body['members'] {
  const { properties = {}, required = [] } = resolved(document, usualSchema(body) ?? {})
  return Object.keys(properties).map((name) => ({
    ...{ name, anchor: fieldId(tag, name), isNeeded: required.includes(name) },
  }))
}

/** `List projects` → list-projects */
export const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_.=]+/g, '-')
    .replace(/^-|-$/g, '')

/** Filters are explained with the field, and what several resources have, once for all of them. */
function anchorOf(
  document: openapi.Document,
  { name: tag }: openapi.Tag,
  { $ref }: openapi.Ref,
  { name, schema, in: place }: openapi.ParameterObject,
): string | null {
  if (schema['x-operators']) return fieldId(tag, name)
  const scheme = Object.entries(document.components.securitySchemes).find(([, one]) => one.name === name)
  if (scheme && place === 'header') return schemeId(scheme[0])
  const users = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).filter(({ parameters }) => parameters?.some((one) => one.$ref === $ref)),
  )
  return new Set(users.map(({ tags }) => tags.join())).size > 1 ? parameterId(place, name) : null
}

export const schemeId = (scheme: string): string => `scheme-${scheme}`
export const fieldId = (group: string, field: string): string => `${group}.${field}`
export const parameterId = (place: string, name: string): string => idOf(`${place}-${name}`)

/** The members of the rows that the operations answer with. */
function fieldsOf(document: openapi.Document, operations: readonly Operation[]): Field[] {
  const schemas = operations.flatMap(({ answers }) => answers.map(usualSchema))
  const rows = schemas.map((schema) => (schema ? resolved(document, schema.items ?? schema) : null))
  const created = operations.find(({ method }) => method === 'POST')?.body?.members ?? []
  const filters = operations.flatMap(({ parameters }) => parameters)
  return Object.entries(rows.find((row) => row?.properties)?.properties ?? {}).map(([name, schema]) => ({
    ...{ name, schema, isNeeded: created.some((member) => member.name === name && member.isNeeded) },
    operators: filters.find((filter) => filter.name === name)?.schema['x-operators'] ?? [],
  }))
}

const usualSchema = ({ content = {} }: openapi.Body): openapi.Schema | null => Object.values(content)[0]?.schema ?? null

function commonHeadersOf(groups: readonly Group[]): string[] {
  const keyed = groups.flatMap(({ operations }) => operations.filter(({ needsKey }) => needsKey))
  const [first = [], ...others] = keyed.flatMap(({ answers }) =>
    answers.map(({ headers = {} }) => Object.keys(headers)),
  )
  return first.filter((name) => others.every((names) => names.includes(name)))
}

/** Follows a reference: `{ $ref: '#/components/schemas/bid' }` → the schema */
function resolved<Value extends object>(document: openapi.Document, value: Value | openapi.Ref): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, step) => (part as openapi.Named<unknown>)[step], document)
  // The document's own test follows all references, so it is there.
  return found as Value
}
