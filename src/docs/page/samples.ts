import type { Json } from '../schemas.ts'
import type { Group, Operation } from './read-document.ts'

/** How to send a request, in one language. */
export interface Sample {
  readonly language: 'curl' | 'supabase-js'
  readonly text: string
}

/** Stands for the address of the server where it is not known; the page's script puts its own there. */
const unknownOrigin = 'https://api.example.com'

export function samplesOf(operation: Operation, group: Group, serverUrl: string): Sample[] {
  const request = requestOf(operation, group)
  const call = calls[operation.method]?.(request) ?? null
  return [
    { language: 'curl', text: curlOf(operation, request, absolute(serverUrl)) },
    ...(call === null || !operation.needsKey ? [] : [{ language: 'supabase-js' as const, text: call }]),
  ]
}

/** What supabase-js needs to know once. */
export const clientSample = (serverUrl: string): string => `import { createClient } from '@supabase/supabase-js'

const api = createClient('${new URL(absolute(serverUrl)).origin}', process.env.PROJECT_API_KEY, {
  global: { headers: { 'X-API-Secret': process.env.PROJECT_API_SECRET } },
})`

const absolute = (serverUrl: string): string => new URL(serverUrl, unknownOrigin).href

/** A request to show: the examples of an operation's parameters. */
interface SampleRequest {
  readonly resource: string
  /** Column and value of the filter by which a change names its row. */
  readonly filter: readonly [column: string, value: string] | null
  readonly order: string | null
  readonly prefer: string | null
  readonly body: Json
}

function requestOf({ method, parameters, body }: Operation, { name, fields }: Group): SampleRequest {
  const exampleOf = (parameter: string): string | null => {
    const found = parameters.find((one) => one.name === parameter)?.example
    return found === undefined ? null : String(found)
  }
  const [key] = fields
  const order = exampleOf('order')
  const isField = fields.some((field) => field.name === order?.split('.')[0])
  const namesRow = ['PATCH', 'PUT', 'DELETE'].includes(method)
  return {
    resource: name,
    filter: namesRow && key ? [key.name, String(key.schema.examples?.[0] ?? '')] : null,
    order: isField ? order : null,
    prefer: method === 'GET' || method === 'POST' ? null : exampleOf('Prefer'),
    body: Object.values(body?.content ?? {})[0]?.example ?? null,
  }
}

function curlOf({ method, path, needsKey }: Operation, request: SampleRequest, server: string): string {
  const { filter, order, prefer, body } = request
  const query = [
    ...(filter ? [`${filter[0]}=eq.${filter[1]}`] : []),
    ...(method === 'GET' && needsKey ? ['select=*', ...(order ? [`order=${order}`] : []), 'limit=10'] : []),
  ].join('&')
  const verb = verbs[method] ?? `curl -X ${method}`
  return [
    `${verb} '${server.replace(/\/$/, '')}${path}${query && `?${query}`}'`,
    ...(needsKey ? ['-H "apikey: $PROJECT_API_KEY"', '-H "X-API-Secret: $PROJECT_API_SECRET"'] : []),
    ...(prefer === null ? [] : [`-H 'Prefer: ${prefer}'`]),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

const verbs: Readonly<Record<string, string>> = { GET: 'curl', HEAD: 'curl --head', OPTIONS: 'curl -i -X OPTIONS' }

/** `it's` → `'it'\''s'` */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The same with the client of Supabase, by method. */
const calls: Readonly<Record<string, (request: SampleRequest) => string>> = {
  GET: ({ resource, order }) =>
    chain('data, error', resource, [".select('*')", ...(order ? [orderCall(order)] : []), '.limit(10)']),
  HEAD: ({ resource }) => chain('count, error', resource, [".select('*', { count: 'exact', head: true })"]),
  POST: ({ resource, body }) => chain('data, error', resource, [`.insert(${literal(body)})`, '.select()', '.single()']),
  PATCH: ({ resource, filter, body }) =>
    chain('data, error', resource, [`.update(${literal(body)})`, filterCall(filter), '.select()']),
  // The client has no PUT. Its upsert is a POST with the same effect.
  PUT: ({ resource, body }) => chain('data, error', resource, [`.upsert(${literal(body)})`, '.select()', '.single()']),
  DELETE: ({ resource, filter }) => chain('data, error', resource, ['.delete()', filterCall(filter), '.select()']),
}

const chain = (result: string, resource: string, steps: readonly string[]): string =>
  [`const { ${result} } = await api`, `.from('${resource}')`, ...steps].join('\n  ')

const filterCall = (filter: SampleRequest['filter']): string => `.eq('${filter?.[0]}', '${filter?.[1]}')`

/** `created_at.desc` → `.order('created_at', { ascending: false })` */
function orderCall(order: string): string {
  const [column, direction] = order.split('.')
  return `.order('${column}'${direction === 'desc' ? ', { ascending: false }' : ''})`
}

/** JSON as people write it in JavaScript, one member a line. */
const literal = (value: Json): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replace(/"((?:[^"\\']|\\[^"'])*)"/g, "'$1'")
    .replaceAll('\n', '\n  ')
