import { all, bodies, changes, type Method, reads, writes } from '../methods.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { languageNames } from '../resources/text/languages.ts'
import { type OperatorName, operatorNames, operatorOf } from '../types/operators.ts'
import { preferHeader } from './preferences.ts'
import { exampleValue, type JsonObject, ref } from './schemas.ts'

interface Parameter {
  readonly in: 'query' | 'header'
  readonly methods: readonly Method[]
  /** Only of resources whose changes can be streamed. */
  readonly isLive?: true
  readonly schema: JsonObject
  readonly description: string
  readonly example: string | number
}

/** Those whose rows are named by any filter. */
const named: readonly Method[] = [...reads, ...changes]

const text = { type: 'string' } as const
const integer = { type: 'integer', minimum: 0 } as const
const conditions = '(id.not.is.null,created_at.gte.2026-01-01)'
const logic = 'Conditions in brackets, each `column.operator.value`; `and(…)` and `or(…)` nest, `not.` negates.'

/** Every parameter that is not a column. */
const parameters: Readonly<Record<string, Parameter>> = {
  select: {
    in: 'query',
    methods: all,
    schema: text,
    description:
      'The columns to answer with, separated by commas; all of them where it is absent. `name:column` renames, ' +
      '`column::text` casts, `count()`, `column.max()` and `column.min()` aggregate, of numbers also `column.sum()` and `column.avg()`, ' +
      'and `other(*)` embeds the rows that belong to each row. ' +
      'Parameters of an embed carry its name: `other.order`, `other.limit`, `other.column`.',
    example: '*',
  },
  order: {
    in: 'query',
    methods: all,
    schema: text,
    description:
      'Columns to sort by, each with `.asc` or `.desc`, `.nullsfirst` or `.nullslast`. ' +
      'Where it is absent, rows are in the order of their primary key: `id`, and `sequence` of events. ' +
      'Texts are sorted by their bytes in UTF-8: `Z` comes before `a`, and `z` before `Ä`.',
    example: 'created_at.desc',
  },
  limit: {
    in: 'query',
    methods: reads,
    schema: integer,
    description: 'How many rows, at most. All of them where it is absent.',
    example: 10,
  },
  offset: { in: 'query', methods: reads, schema: integer, description: 'How many rows to skip.', example: 0 },
  and: {
    in: 'query',
    methods: named,
    schema: text,
    description: `All of these hold. ${logic}`,
    example: conditions,
  },
  or: {
    in: 'query',
    methods: named,
    schema: text,
    description: `One of these holds. ${logic}`,
    example: conditions,
  },
  'not.and': {
    in: 'query',
    methods: named,
    schema: text,
    description: `Not all of these hold. ${logic}`,
    example: conditions,
  },
  'not.or': {
    in: 'query',
    methods: named,
    schema: text,
    description: `None of these holds. ${logic}`,
    example: conditions,
  },
  columns: {
    in: 'query',
    methods: bodies,
    schema: text,
    description: 'The fields of the body that count, separated by commas. Others are ignored.',
    example: 'id',
  },
  on_conflict: {
    in: 'query',
    methods: ['POST'],
    schema: text,
    description: 'The column that tells whether a row is there already, with `Prefer: resolution=…`: the primary key.',
    example: 'id',
  },
  Range: {
    in: 'header',
    methods: ['GET'],
    schema: text,
    description: 'The first and the last row wanted, from 0.',
    example: '0-9',
  },
  'If-None-Match': {
    in: 'header',
    methods: [...reads, 'POST', 'PUT'],
    schema: text,
    description:
      'Of a read, the `ETag` of an earlier answer: if nothing has changed since, the answer is 304. Of a POST or PUT, `*`: only new rows are made, and if one is there already, the answer is 412.',
    example: '"1c8zq2.array"',
  },
  'If-Match': {
    in: 'header',
    methods: [...changes, 'PUT'],
    schema: text,
    description:
      'The `ETag` of the rows as last read: if they have changed since, nothing is done and the answer is 412.',
    example: '"1c8zq2.array"',
  },
  'Idempotency-Key': {
    in: 'header',
    methods: writes,
    schema: { ...text, minLength: 1, maxLength: 255 },
    description:
      'A name for this request. Sent again within 24 hours, it gets the first answer again and nothing is done twice.',
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  'X-API-Secret': {
    in: 'header',
    methods: all,
    schema: text,
    description:
      'The API secret: the same as the security scheme `secret`, for tools that take one security scheme and drop the others.',
    example: 'pas_YOUR_API_SECRET',
  },
  'Last-Event-ID': {
    in: 'header',
    methods: ['GET'],
    isLive: true,
    schema: { ...text, pattern: '^\\d{1,15}$' },
    description:
      'With `Accept: text/event-stream`: the `id` of the last change that arrived. The stream goes on behind it; without it, it begins with the next change.',
    example: '1042',
  },
  'Accept-Profile': schemaHeader(reads),
  'Content-Profile': schemaHeader(writes),
}

/** The document's parameters: those above, `Prefer` for each method, and a filter for each column. */
export function makeParameters(resources: readonly Resource[]): JsonObject {
  const fixed = Object.entries(parameters).map(([name, { methods: _, isLive: __, ...rest }]) => [
    name,
    { name, ...rest },
  ])
  const prefer = all.map((method) => [`Prefer.${method}`, preferHeader(method)])
  const filters = resources.flatMap((resource) => [
    ...[...resource.columns.values()].map((column) => [`${resource.name}.${column.name}`, filter(column)]),
    ...(resource.methods.includes('PUT') ? [[`${resource.name}.PUT`, rowOfPut(resource)]] : []),
  ])
  return Object.fromEntries([...fixed, ...prefer, ...filters])
}

/** References to the parameters that one method of a resource takes. */
export function parametersOf(resource: Resource, method: Method): JsonObject[] {
  const fixed = Object.keys(parameters).filter(
    (name) => parameters[name]?.methods.includes(method) && !(resource.isReadOnly && parameters[name]?.isLive),
  )
  const filters = named.includes(method) ? [...resource.columns.keys()] : method === 'PUT' ? ['PUT'] : []
  const own = filters.map((column) => `${resource.name}.${column}`)
  return ['select', ...own, ...fixed.filter((name) => name !== 'select'), `Prefer.${method}`].map((name) =>
    ref('parameters', name),
  )
}

/** What is the same for the filters of all columns. */
export function makeFilters(resources: readonly Resource[]): JsonObject {
  const columns = resources.flatMap((resource) => [...resource.columns.values()])
  const used = operatorNames.filter((name) => columns.some((column) => operatorsOf(column).includes(name)))
  const meanings = used.map((name) => {
    const { meaning, quantified = false } = operatorOf(name)
    return [name, { meaning, quantified }]
  })
  return {
    description:
      'A filter is the name of a column and `operator.value`, as in `created_at=gte.2026-01-01`; `not.operator.value` negates it. ' +
      `Several filters must all hold, also of the same column.${searchLanguages}`,
    operators: Object.fromEntries(meanings),
  }
}

const operatorsOf = (column: Column): OperatorName[] =>
  operatorNames.filter((name) => typeOf(column).operators.some((one) => one === name))

function filter(column: Column): JsonObject {
  const fitting = operatorsOf(column)
  const quantified = fitting.filter((name) => operatorOf(name).quantified)
  const meanings = fitting.map((name) => `\`${name}\` ${operatorOf(name).meaning}`).join('; ')
  const isSearched = fitting.some((name) => operatorOf(name).takes === 'search')
  return {
    name: column.name,
    in: 'query',
    description:
      `Only rows whose \`${column.name}\` fits: \`operator.value\`, or \`not.operator.value\`. Repeated, all must hold. ` +
      `Operators: ${meanings}.` +
      (quantified.length > 0 ? ` Taking \`(any)\` or \`(all)\` and \`{a,b}\`: ${quantified.join(', ')}.` : '') +
      (isSearched ? searchLanguages : ''),
    schema: { anyOf: [text, { type: 'array', items: text }], 'x-operators': fitting },
    example: typeOf(column).filterExample,
  }
}

const searchLanguages = ` A full-text search may name a language, as in \`wfts(english).bridges\`: ${languageNames.join(', ')}. Without one, it is simple, which knows no word forms.`

/** PUT names its one row by the primary key, and by nothing else. */
function rowOfPut(resource: Resource): JsonObject {
  const { primaryKey } = resource
  return {
    name: primaryKey.name,
    in: 'query',
    required: true,
    description: `The row to make or to replace: \`eq.\` and the same \`${primaryKey.name}\` as in the body.`,
    schema: { type: 'string', pattern: '^eq\\.' },
    example: `eq.${exampleValue(resource, primaryKey)}`,
  }
}

function schemaHeader(methods: readonly Method[]): Parameter {
  return {
    in: 'header',
    methods,
    schema: { type: 'string', enum: ['public'] },
    description: 'The only schema there is. Clients of PostgREST send it; it may be left out.',
    example: 'public',
  }
}
