import { version } from '../../package.json'
import { all, bodies, type Method, reads } from '../methods.ts'
import { bodyRowsMax } from '../request/row-limits.ts'
import type { Resource } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { answersOf, headersOf, makeExamples, makeFailedAnswers, makeHeaders, open } from './answers.ts'
import { makeParameters, parametersOf } from './parameters.ts'
import { exampleOf, type JsonObject, makeSchemas, neededColumns, ref } from './schemas.ts'

/** What is built on others comes first: it is what people look for. */
const shown = resources.toReversed()

let text: string | null = null

/** The whole API as an OpenAPI 3.1 document, made once from the definitions of what is served. */
export function openapiText(): string {
  text ??= JSON.stringify(makeDocument())
  return text
}

function makeDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'Project API', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/rest/v1', description: 'This server.' }],
    tags: [
      ...shown.map((resource) => ({ name: resource.name, description: resource.description })),
      { name: 'description', description: 'The API about itself.' },
    ],
    paths: {
      ...Object.fromEntries(shown.map((resource) => [`/${resource.name}`, pathOf(resource)])),
      '/': { get: describing('GET', 'Read this description'), head: describing('HEAD', 'Ask whether it is there') },
    },
    components: {
      schemas: makeSchemas(),
      parameters: makeParameters(resources),
      responses: makeFailedAnswers(),
      headers: makeHeaders(),
      examples: makeExamples(),
      securitySchemes,
    },
  }
}

const description = `Projects and bids of a company, in the dialect of PostgREST: its clients, such as supabase-js, work unchanged.

**Who is asking.** Every request carries the API key as \`apikey\`, and may repeat it as \`Authorization: Bearer <API key>\`.
The API secret in \`X-API-Secret\` scopes the request to the company that owns both. Without it a read finds nothing and a write is refused;
the header \`Project-Api-Scope\` of the answer says which. A tool with a single field sends both as \`apikey\`, joined by a dot:
\`pak_….pas_…\`. Keep the secret on your server: a request from a browser that carries it is refused.

**Failures** are JSON with \`code\`, \`message\`, \`details\` and \`hint\`, and every answer carries \`X-Request-Id\`.

**v1 only ever grows.** Ignore members and headers that you do not know.`

const securitySchemes: JsonObject = {
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: 'The API key, which begins with `pak_`; or key and secret joined by a dot, `pak_….pas_…`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key again. May be left out.' },
  secret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Secret',
    description: 'The API secret, which begins with `pas_`. Never to be sent from a browser.',
  },
}

const scoped: readonly JsonObject[] = [
  { apikey: [], bearer: [], secret: [] },
  { apikey: [], secret: [] },
]
const unscoped: readonly JsonObject[] = [{ apikey: [], bearer: [] }, { apikey: [] }]

interface Doing {
  readonly verb: string
  readonly summary: (name: string) => string
  /** The schema of what it takes. */
  readonly takes?: string
}

const operations: Readonly<Record<Method, Doing>> = {
  GET: { verb: 'list', summary: (name) => `List ${name}s` },
  HEAD: { verb: 'probe', summary: (name) => `Count ${name}s, or ask whether they changed` },
  POST: { verb: 'create', summary: (name) => `Create one ${name} or many, all or nothing`, takes: 'new' },
  PATCH: { verb: 'update', summary: (name) => `Change all ${name}s that match`, takes: 'change' },
  PUT: { verb: 'put', summary: (name) => `Make or replace one ${name}`, takes: 'whole' },
  DELETE: { verb: 'delete', summary: (name) => `Delete all ${name}s that match` },
}

function pathOf(resource: Resource): JsonObject {
  const described = all.map((method) => [method.toLowerCase(), operationOf(resource, method)])
  return { ...Object.fromEntries(described), options: optionsOf(resource) }
}

function operationOf(resource: Resource, method: Method): JsonObject {
  const { verb, summary, takes } = operations[method]
  return {
    operationId: `${verb}_${resource.name}`,
    tags: [resource.name],
    summary: summary(resource.name),
    security: reads.includes(method) ? [...scoped, ...unscoped] : scoped,
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
    content: {
      'application/json': {
        schema: { anyOf: [row, { type: 'array', items: row, ...rows }] },
        example: exampleOf([...key, ...neededColumns(resource)]),
      },
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

const optionsOf = ({ name }: Resource): JsonObject => ({
  operationId: `options_${name}`,
  tags: [name],
  summary: 'Ask which methods there are',
  security: [{}],
  responses: { 200: { description: 'See the header.', headers: headersOf(['Allow', ...open]) } },
})

const describing = (method: Method, summary: string): JsonObject => ({
  operationId: `${method.toLowerCase()}_description`,
  tags: ['description'],
  summary,
  security: [{}],
  responses: {
    200: {
      description: 'This document.',
      headers: headersOf(['ETag', 'Vary', ...open]),
      ...(method === 'HEAD' ? {} : { content: { 'application/openapi+json': { schema: { type: 'object' } } } }),
    },
  },
})
