import { bodies, type Method } from '../methods.ts'
import { bodyRowsMax } from '../request/row-limits.ts'
import type { Labels, Resource } from '../resources/define.ts'
import { headersOf } from './answer-headers.ts'
import { answersOf, failed, open } from './answers.ts'
import { failuresOf } from './failures.ts'
import { parametersOf } from './parameters.ts'
import { exampleOf, type JsonObject, neededColumns, ref } from './schemas.ts'

/** A read needs no secret, and finds nothing without one. Where `apikey` has the secret too, it is enough for all. */
const security: readonly JsonObject[] = [
  { apikey: [], bearer: [], secret: [] },
  { apikey: [], secret: [] },
  { apikey: [], bearer: [] },
  { apikey: [] },
]

interface Doing {
  readonly verb: string
  readonly summary: (labels: Labels) => string
  readonly description: string
  /** The schema of what it takes. */
  readonly takes?: 'new' | 'change' | 'whole'
}

const returning = 'Without `Prefer: return=representation`, the answer has no body.'

const operations: Readonly<Record<Method, Doing>> = {
  GET: {
    verb: 'list',
    summary: ({ many }) => `List ${many}`,
    description:
      'The rows that match all filters. `Accept` asks for another form: `application/vnd.pgrst.object+json` for exactly one row, ' +
      '`text/csv`, `application/x-ndjson`, or `text/event-stream` for changes as they happen.',
  },
  HEAD: {
    verb: 'probe',
    summary: ({ many }) => `Count ${many}`,
    description:
      'The headers of the same GET, without the rows. With `Prefer: count=exact`, `Content-Range` has the number of rows; ' +
      'with `If-None-Match`, the answer is 304 if nothing has changed.',
  },
  POST: {
    verb: 'create',
    summary: ({ many }) => `Create ${many}`,
    description:
      `The body is one row, and so is the answer. An array of at most ${bodyRowsMax} rows, or \`text/csv\`, creates all of them or none, ` +
      'and is answered by an array.',
    takes: 'new',
  },
  PATCH: {
    verb: 'update',
    summary: ({ many }) => `Update ${many}`,
    description: `Changes all rows that match. At least one filter is needed; \`id=eq.…\` changes one row. ${returning}`,
    takes: 'change',
  },
  PUT: {
    verb: 'put',
    summary: ({ one }) => `Create or replace one ${one}`,
    description: `Replaces the row, or creates it if there is none. The primary key is in the query and in the body. ${returning}`,
    takes: 'whole',
  },
  DELETE: {
    verb: 'delete',
    summary: ({ many }) => `Delete ${many}`,
    description: `Deletes all rows that match. At least one filter is needed; \`id=eq.…\` deletes one row. ${returning}`,
  },
}

/** Every operation on a resource. */
export function pathOf(resource: Resource): JsonObject {
  const described = resource.methods.map((method) => [method.toLowerCase(), operationOf(resource, method)])
  return { ...Object.fromEntries(described), options: optionsOf(resource) }
}

function operationOf(resource: Resource, method: Method): JsonObject {
  const { verb, summary, description, takes } = operations[method]
  return {
    operationId: `${verb}_${resource.name}`,
    tags: [resource.name],
    summary: summary(resource.labels),
    description,
    security,
    parameters: parametersOf(resource, method),
    ...(takes && bodies.includes(method) ? { requestBody: bodyOf(resource, `${resource.name}_${takes}`, method) } : {}),
    responses: answersOf(resource, method),
  }
}

function bodyOf(resource: Resource, schema: string, method: Method): JsonObject {
  const key = method === 'PUT' ? [resource.primaryKey] : []
  const row = ref('schemas', schema)
  const rows = method === 'PUT' ? { minItems: 1, maxItems: 1 } : { description: `At most ${bodyRowsMax} rows.` }
  return {
    required: true,
    // One form alone: of several, generators of clients make a union.
    content: {
      'application/json': { schema: row, example: exampleOf(resource, [...key, ...neededColumns(resource)]) },
    },
    'x-content': {
      'application/json': { schema: { anyOf: [row, { type: 'array', items: row, ...rows }] } },
      'text/csv': {
        schema: {
          type: 'string',
          description: `A line of names, and a line for each row; at most ${bodyRowsMax} rows.`,
        },
      },
      'application/x-www-form-urlencoded': { schema: row },
    },
  }
}

const optionsOf = ({ name, labels }: Resource): JsonObject => ({
  operationId: `options_${name}`,
  tags: [name],
  summary: `Show the methods of ${labels.many}`,
  description: 'They are in the header `Allow`. No key is needed.',
  security: [{}],
  responses: {
    200: { description: 'See the header.', headers: headersOf(['Allow', ...open]) },
    431: { description: 'The headers of the request are longer than 128 KiB.' },
  },
})

/** The operations on this description. */
export const describing = (method: Method, summary: string): JsonObject => ({
  operationId: `${method.toLowerCase()}_description`,
  tags: ['description'],
  summary,
  description: 'Anyone may read it. `Accept: application/openapi+json;version=2.0` asks for Swagger 2.0.',
  security: [{}],
  responses: {
    406: failed(
      failuresOf(method).filter(({ name }) => name === 'mediaTypeUnavailable'),
      method,
      open,
    ),
    200: {
      description: 'This document.',
      headers: headersOf(['ETag', 'Vary', ...open]),
      ...(method === 'HEAD' ? {} : { content: { 'application/openapi+json': { schema: { type: 'object' } } } }),
    },
  },
})
