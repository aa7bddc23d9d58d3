import type { Random } from '../random.ts'
import { bodyOf } from './fuzz-body.ts'
import { column, comparison, conditions, count, id, nest, order, pair, select, undocumented } from './fuzz-query.ts'
import { bytesOf, type Fields, type Parts } from './fuzz-request.ts'
import { anyText, mutated } from './fuzz-text.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly example: string | number
  readonly schema: { readonly 'x-operators'?: readonly string[]; readonly 'x-preferences'?: readonly string[] }
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly takes: readonly string[]
}

/** What of the OpenAPI document the attack goes by. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

interface DescribedOperation {
  readonly parameters?: readonly { readonly $ref: string }[]
  readonly requestBody?: { readonly 'x-content': Readonly<Record<string, unknown>> }
}

export function operationsOf({ paths, components }: Described): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters
        .flatMap(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''] ?? [])
        // Requests have a valid one already.
        .filter(({ name }) => name !== 'X-API-Secret'),
      takes: Object.keys(requestBody?.['x-content'] ?? {}),
    })),
  )
}

const accepts = [
  ...[
    'application/json',
    '*/*',
    'application/vnd.pgrst.object+json',
    'application/vnd.pgrst.array+json;nulls=stripped',
  ],
  ...[
    'text/csv',
    'application/x-ndjson',
    'image/png',
    'text/event-stream',
    'application/json;q=0',
    'application/vnd.pgrst.object',
    ',;,',
    'text/*;q=0.5, */*;q=0.1',
  ],
]

/** A request that the document allows, with values that it does not always expect. */
export function restRequest(random: Random, operations: readonly Operation[], base: string): Parts {
  const operation = random.pick(operations)
  const { method, path, takes } = operation
  // Few at once: with every parameter there is, hardly a request would be sound in all of them.
  const chosen = operation.parameters.filter(() => random.chance(2.2 / (operation.parameters.length + 1)))
  const query = chosen.filter((one) => one.in === 'query').map((one) => pair(random, one.name, valueFor(random, one)))
  if (random.chance(0.25)) query.push(undocumented(random))
  if (random.chance(0.01)) query.splice(0, query.length, nest(random))
  // There are more of them with every write, and nothing removes them.
  if (path === '/event' && !query.some((one) => one.startsWith('limit='))) query.push('limit=20')
  // Without it most writes would be refused for the lack of a filter.
  if ((method === 'PATCH' || method === 'DELETE') && random.chance(0.6)) query.push(`id=eq.${id(random)}`)
  const headers = chosen.filter((one) => one.in === 'header').map((one) => [one.name, valueFor(random, one)] as const)
  const fields: Fields = [
    ...headers,
    ...(random.chance(0.2) ? [['Accept', random.pick(accepts)] as const] : []),
    ...(random.chance(0.01) ? [['Sec-Fetch-Site', 'cross-site'] as const] : []),
    ...(random.chance(0.02)
      ? [
          [
            random.pick(['Accept-Encoding', 'X-HTTP-Method-Override', 'Cookie', 'X-Forwarded-For', 'Content-Encoding']),
            anyText(random),
          ] as const,
        ]
      : []),
  ]
  const target = `${base}${pathOf(random, path)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  if (takes.length === 0) return { method, target, fields, body: null }
  const type = random.chance(0.85)
    ? 'application/json'
    : random.pick([...takes, 'text/plain', 'application/json; charset=latin1', '', 'APPLICATION/JSON'])
  return { method, target, fields: [...fields, ['Content-Type', type]], body: bytesOf(bodyOf(random, type, path)) }
}

const pathOf = (random: Random, path: string): string =>
  random.chance(0.985)
    ? path
    : random.pick([
        '/nope',
        '/rpc/x',
        '/project/',
        '//project',
        '/PROJECT',
        '/project%2f',
        '/%00',
        '/..',
        '/__proto__',
        '/project;x',
      ])

function valueFor(random: Random, { name: key, schema, example }: Parameter): string {
  const operators = schema['x-operators']
  if (operators) return comparison(random, key, operators)
  const preferences = schema['x-preferences']
  if (preferences) return preferOf(random, preferences)
  const make = values[key]
  return random.chance(0.9) && make ? make(random) : mutated(random, String(example))
}

const values: Readonly<Record<string, (random: Random) => string>> = {
  select,
  order,
  limit: count,
  offset: count,
  and: conditions,
  or: conditions,
  'not.and': conditions,
  'not.or': conditions,
  columns: (random) => random.some(4, () => column(random)).join(','),
  on_conflict: (random) => random.pick(['id', 'id', 'id', 'bid_id', 'id,bid_id', '', 'company_id,id']),
  id: (random) => `eq.${id(random)}`,
  'Accept-Profile': () => 'public',
  'Content-Profile': () => 'public',
  Range: (random) => `${count(random)}-${random.chance(0.7) ? count(random) : ''}`,
  'If-Match': (random) => random.pick(['*', '"1c8zq2.array"', 'W/"x"', '"', ',', anyText(random)]),
  'If-None-Match': (random) => random.pick(['*', '"1c8zq2.array"', 'W/"x"', '""', ',,', anyText(random)]),
  'Idempotency-Key': (random) =>
    random.pick([
      `key-${random.below(300)}`,
      `"key-${random.below(300)}"`,
      random.uuid(),
      '',
      'x'.repeat(random.pick([255, 256])),
      anyText(random),
    ]),
}

const zones = ['Europe/Berlin', 'UTC', 'America/St_Johns', '+05:30', 'Nowhere/Land', '', 'Asia/Kathmandu']

function preferOf(random: Random, known: readonly string[]): string {
  const wishes = random.some(3, () => {
    if (random.chance(0.05)) return mutated(random, random.pick(known))
    return random.pick(known).replace('NAME', random.pick(zones)).replace(/N$/, count(random))
  })
  return wishes.join(random.pick([', ', ',', ';', ' , ']))
}
