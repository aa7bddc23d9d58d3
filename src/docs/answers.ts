import { all, type Method } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { headersOf } from './answer-headers.ts'
import { documentedFailures, failuresOf, occursIn, type Shown } from './failures.ts'
import { exampleOf, type Json, type JsonObject, ref, selectedSchema } from './schemas.ts'

/** On answers that need no key. */
export const open = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']
const always = [...open, 'Server-Timing', 'Project-Api-Scope', 'RateLimit-Policy', 'RateLimit']
const written = [...always, 'Content-Range', 'Preference-Applied', 'Vary']
const shown = [...written, 'Content-Profile', 'Content-Encoding']
const read = [...shown, 'Content-Location', 'ETag', 'Link']

/** On answers to writes, which can be repeated. */
const repeated = ['Idempotent-Replayed']

interface Success {
  readonly description: string
  readonly headers: readonly string[]
  /** What an answer in JSON holds; absent where there is no body. */
  readonly holds?: Holds
  /** Changes can be streamed in place of the rows. */
  readonly isLive?: boolean
}

/** All rows, or the one row that was sent: to several rows, the answer is all of them. */
type Holds = 'rows' | 'row'

/** What each method answers when all goes well. */
const successes: Readonly<Record<Method, Readonly<Record<string, Success>>>> = {
  GET: {
    200: {
      description: 'The rows. None of them where the request is not scoped to a company.',
      headers: read,
      holds: 'rows',
      isLive: true,
    },
    206: { description: 'Some of the rows that were counted.', headers: read, holds: 'rows' },
    304: { description: 'Nothing has changed since the answer with this ETag.', headers: [...written, 'ETag'] },
  },
  HEAD: {
    200: { description: 'The headers that GET would have.', headers: read },
    206: { description: 'The headers that GET would have, for some of the rows.', headers: read },
    304: { description: 'Nothing has changed since the answer with this ETag.', headers: [...written, 'ETag'] },
  },
  POST: {
    200: {
      description: 'Every row was there already, and was changed.',
      headers: [...shown, 'Location', ...repeated],
      holds: 'row',
    },
    201: {
      description: 'Created. An object for an object and an array for an array, or what `Prefer: return=…` asks for.',
      headers: [...shown, 'Location', ...repeated],
      holds: 'row',
    },
  },
  PATCH: {
    200: {
      description: 'The changed rows, with `Prefer: return=representation`.',
      headers: [...shown, ...repeated],
      holds: 'rows',
    },
    204: { description: 'Changed.', headers: [...written, ...repeated] },
  },
  PUT: {
    200: {
      description: 'The replaced row, with `Prefer: return=representation`.',
      headers: [...shown, ...repeated],
      holds: 'rows',
    },
    201: {
      description: 'Made. The new row, with `Prefer: return=representation`, and otherwise no body.',
      headers: [...shown, ...repeated],
      holds: 'rows',
    },
    204: { description: 'Replaced.', headers: [...written, ...repeated] },
  },
  DELETE: {
    200: {
      description: 'The deleted rows, with `Prefer: return=representation`.',
      headers: [...shown, ...repeated],
      holds: 'rows',
    },
    204: { description: 'Deleted.', headers: [...written, ...repeated] },
  },
}

/** Each failure once, for the answers to refer to. */
export const makeExamples = (): JsonObject =>
  Object.fromEntries(
    documentedFailures().map(({ name, message, body, status, methods }) => [
      name,
      { summary: message, value: body, 'x-status': status, 'x-methods': methods },
    ]),
  )

/** Every answer of a method of a resource, by its status. */
export function answersOf(resource: Resource, method: Method): JsonObject {
  const good = Object.entries(successes[method]).map(([status, success]) => [status, answerTo(success, resource)])
  const bad = failedByStatus(failuresOf(method)).map(([status, failures]) => {
    const own = failures.filter((one) => occursIn(resource, one))
    const answer = failures.every(isShared) ? ref('responses', `${method}_${status}`) : failed(own, method)
    return own.length === 0 ? [] : [[status, answer]]
  })
  return { ...Object.fromEntries([...good, ...bad.flat()]), default: ref('responses', `${method}_default`) }
}

/** The failures that do not depend on the resource, once for all of them. */
export function makeFailedAnswers(): JsonObject {
  const notServed = documentedFailures().filter(({ place }) => place === 'nothing served')
  const answers = all.flatMap((method) => [
    ...failedByStatus(failuresOf(method))
      .filter(([, failures]) => failures.every(isShared))
      .map(([status, failures]) => [`${method}_${status}`, failed(failures, method)] as const),
    [`${method}_default`, failed(notServed, method)] as const,
  ])
  return Object.fromEntries(answers)
}

const isShared = ({ place }: Shown): boolean => place === 'every resource'

const failedByStatus = (failures: readonly Shown[]): [string, Shown[]][] =>
  [...Map.groupBy(failures, ({ status }) => String(status))].toSorted(([a], [b]) => a.localeCompare(b))

const answerTo = ({ description, headers, holds, isLive = false }: Success, resource: Resource): Json => ({
  description,
  headers: headersOf(headers),
  ...(holds ? { content: usualContent(resource, holds), 'x-content': everyContent(resource, holds, isLive) } : {}),
})

/** What is answered where nothing else is asked for. Of several media types, generators of clients make a union. */
function usualContent(resource: Resource, holds: Holds): JsonObject {
  const row = ref('schemas', resource.name)
  const example = exampleOf(resource, resource.columns.values())
  const content =
    holds === 'row' ? { schema: row, example } : { schema: { type: 'array', items: row }, example: [example] }
  return { 'application/json': content }
}

/** Every form that an answer can have, with `Accept`, `Prefer` and `select`. */
function everyContent(resource: Resource, holds: Holds, isLive: boolean): JsonObject {
  const row = selectedSchema(resource)
  const rows = { type: 'array', items: row }
  return {
    'application/json': { schema: holds === 'row' ? { anyOf: [row, rows] } : rows },
    'application/vnd.pgrst.object+json': { schema: row },
    'application/vnd.pgrst.array+json;nulls=stripped': { schema: rows },
    'application/vnd.pgrst.object+json;nulls=stripped': { schema: row },
    'text/csv': { schema: { type: 'string', description: 'A line of names, and a line for each row.' } },
    'application/x-ndjson': { schema: { type: 'string', description: 'A line of JSON for each row.' } },
    ...(isLive && !resource.isReadOnly ? { 'text/event-stream': { schema: liveSchema } } : {}),
  }
}

const liveSchema = {
  type: 'string',
  description:
    'Server-sent events, one for each change of a row that matches before or after it. `data` is JSON with `type`, `row_id`, `row`, `changed` and `matches`.',
}

/** All failures of one status. */
export function failed(failures: readonly Shown[], method: Method, common: readonly string[] = always): JsonObject {
  const codes = [...new Set(failures.map(({ code }) => code))]
  const content = {
    schema: { allOf: [ref('schemas', 'error'), { properties: { code: { enum: codes } } }] },
    examples: Object.fromEntries(failures.map(({ name }) => [name, ref('examples', name)])),
  }
  const named = new Set([...common, ...failures.flatMap((one) => one.headers)])
  named.delete('Content-Type')
  return {
    description: failures.length === 1 ? `${failures[0]?.message}.` : `One of: ${codes.join(', ')}.`,
    headers: headersOf([...named]),
    ...(method === 'HEAD' ? {} : { content: { 'application/json': content } }),
  }
}
