import { operatorNames } from '../../src/types/operators.ts'
import { text } from '../../src/types/text.ts'
import { uuid } from '../../src/types/uuid.ts'
import type { Random } from '../random.ts'
import { ownNames, ownOperand } from './fuzz-fields.ts'
import { encoded, moment, mutated, name, oddText, pattern } from './fuzz-text.ts'

/** Texts of the dialect, from its grammar: most of them mean something, so that they reach the store. */

// Those that both resources have come more often, so that most conditions fit.
const columns = [
  ...['id', 'id', 'created_at', 'updated_at', 'id', 'created_at'],
  ...['bid_id', 'project_name', 'project_name', 'bid_name'],
  ...ownNames.slice(0, 6),
] as const
const onTexts = text.operators
const everywhere = uuid.operators
const strange = [
  'company_id',
  'nope',
  '__proto__',
  'constructor',
  'bid',
  'project',
  'count',
  '"id"',
  'project.id',
  "id'",
  '',
] as const
const embedNames = ['bid', 'project', 'bid_id', 'project_bid_id_fkey'] as const

export const ids = Array.from(
  { length: 40 },
  (_, at) => `00000000-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`,
)
export const id = (random: Random): string => (random.chance(0.95) ? random.pick(ids) : random.uuid().toUpperCase())
export const column = (random: Random): string => (random.chance(0.93) ? random.pick(columns) : random.pick(strange))

function valueFor(random: Random, of: string): string {
  if (random.chance(0.04)) return oddText(random)
  if (of.startsWith('own_')) return ownOperand(random)
  if (of.endsWith('id')) return id(random)
  return of.endsWith('_at') ? moment(random) : random.chance(0.5) ? name(random) : pattern(random)
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** `not.in.(a,b)` for a column, with an operator of `fitting` or, rarely, of all. */
export function comparison(
  random: Random,
  of: string,
  fitting: readonly string[] = of.endsWith('name') ? onTexts : everywhere,
): string {
  const operator = random.chance(0.97) ? random.pick(fitting) : random.pick([...operatorNames, 'equals', ''])
  const not = random.chance(0.15) ? 'not.' : ''
  const many = (most: number) => random.some(most, () => quoted(valueFor(random, of))).join(',')
  if (operator === 'in') return `${not}in.(${many(random.chance(0.01) ? 900 : 4)})`
  if (operator === 'is') return `${not}is.${random.mostly(['null', 'not_null'], ['true', 'unknown', 'x'])}`
  if (/^(eq|[gl]te?|i?like|i?match)$/.test(operator) && random.chance(0.15))
    return `${not}${operator}(${random.mostly(['any', 'all'], ['simple', 'x'])}).{${many(4)}}`
  return `${not}${operator}.${valueFor(random, of)}`
}

export function conditions(random: Random, depth = 0): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    if (depth < 4 && random.chance(0.25))
      return random.pick(['and', 'or', 'not.and', 'not.or']) + conditions(random, depth + 1)
    const of = column(random)
    return `${of}.${comparison(random, of)}`
  })
  if (random.chance(0.002))
    return `(${'and('.repeat(random.below(3000))}id.not.is.null${')'.repeat(random.below(3000))})`
  return `(${parts.join(',')})`
}

function field(random: Random): string {
  if (random.chance(0.15)) return random.pick(['*', 'count()', 'count', 'n:count()'])
  const alias = random.chance(0.15) ? random.mostly(['x:', 'y:', 'é:'], ['"a b":', ':']) : ''
  const cast = random.chance(0.15)
    ? random.mostly(['::text'], ['::date', '::time', '::uuid', '::int8', '::nope', '::'])
    : ''
  const aggregate = random.chance(0.08) ? random.mostly(['.count()', '.max()', '.min()'], ['.sum()', '.nope()']) : ''
  return `${alias}${column(random)}${cast}${aggregate}`
}

function embed(random: Random, depth: number): string {
  const spread = random.chance(0.2)
  const before = spread ? '...' : random.chance(0.2) ? 'e:' : ''
  const join = random.chance(0.25) ? random.mostly(['!inner', '!left', '!bid_id'], ['!nope', '!']) : ''
  return `${before}${random.mostly(embedNames, ['nope', ''])}${join}(${select(random, depth + 1)})`
}

export function select(random: Random, depth = 0): string {
  if (random.chance(0.001)) return `${'bid(project('.repeat(random.below(200))}*`
  const most = random.chance(0.005) ? 150 : 4
  return random.some(most, () => (depth < 4 && random.chance(0.25) ? embed(random, depth) : field(random))).join(',')
}

export function order(random: Random): string {
  const ways = ['', '.asc', '.desc', '.desc.nullslast', '.asc.nullsfirst']
  const term = () =>
    (random.chance(0.2) ? `${random.mostly(embedNames, ['nope', ''])}(${column(random)})` : column(random)) +
    random.mostly(ways, ['.up', '.'])
  return Array.from({ length: 1 + random.below(3) }, term).join(',')
}

export const count = (random: Random): string =>
  random.chance(0.8)
    ? String(random.below(12))
    : random.pick(['-1', '', 'x', '1e3', '99999999999999999999', '2147483648', '0.5', ' 1', '1000', '1001'])

/** One `name=value` of a query, as it stands in a URL. */
export function pair(random: Random, key: string, value: string): string {
  const off = random.chance(0.03)
  return `${encoded(random, off ? mutated(random, key) : key)}=${encoded(random, random.chance(0.05) ? mutated(random, value) : value)}`
}

/** A parameter of an embed or one that is in no document. */
export function undocumented(random: Random): string {
  const of = random.pick(['bid', 'project', 'e', 'nope', 'bid.project'])
  const inner = column(random)
  return random.pick([
    () => pair(random, `${of}.order`, order(random)),
    () => pair(random, `${of}.limit`, count(random)),
    () => pair(random, `${of}.${inner}`, comparison(random, inner)),
    () => pair(random, `${of}.or`, conditions(random)),
    () => pair(random, `not.${random.pick(['and', 'or'])}`, conditions(random)),
    () => pair(random, of, random.pick(['is.null', 'not.is.null'])),
    () => pair(random, inner, comparison(random, inner)),
  ])()
}

/** Embeds within embeds of a project, each of which is asked about several times: a short text that can mean very much. */
export function nest(random: Random): string {
  const names = Array.from({ length: 1 + random.below(4) }, (_, at) => (at % 2 === 0 ? 'bid' : 'project'))
  const join = () => random.pick(['', '', '!inner'])
  const selected = names.reduceRight((within, name) => `id,${name}${join()}(${within})`, 'id')
  const paths = names.map((_, at) => names.slice(0, at + 1).join('.'))
  const times = 1 + random.below(random.chance(0.1) ? 120 : 4)
  const asks = paths.flatMap((path) => Array.from({ length: times }, () => `${path}=not.is.null`))
  return [`select=${selected}`, ...asks].join('&')
}
