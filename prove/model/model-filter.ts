import type { Random } from '../random.ts'
import { type ModelField, type ModelType, someValue } from './model-field.ts'
import { compare, type Expected, type Kind, nameOf, type Oracle, type Test, type Value } from './model-oracle.ts'
import type { Selection } from './model-select.ts'

/** A request, and what the oracle says to it. To ask the oracle is to do it there, too. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly kind: Kind
  readonly selection: Selection
  expected(): Expected
}

/** One company, and ids that may be anybody's. */
export interface Scene {
  readonly random: Random
  readonly oracle: Oracle
  foreignId(kind: Kind): string
  /** The name of a field that another company has, or null where there is none. */
  foreignField(): string | null
}

/** Mostly of a row that is there, else of another company's, or of none. */
export function someId({ random, oracle, foreignId }: Scene, kind: Kind): string {
  const own = oracle.ids(kind)
  if (own.length > 0 && random.chance(0.75)) return random.pick(own)
  return random.chance(0.8) ? foreignId(kind) : random.uuid()
}

export const newName = ({ random, oracle }: Scene): string =>
  `${oracle.mark} ${random.pick([...'abcdeABC'])}${random.below(10)}`

export interface Filter {
  readonly query: string
  readonly test: Test
}

/** A column to filter by, and values to compare with. */
interface Compared {
  readonly column: string
  readonly type: ModelType | 'uuid'
  value(): Value
}

export function filter(scene: Scene, kind: Kind): Filter {
  const { random } = scene
  const { column, type, value } = compared(scene, kind)
  const not = random.chance(0.15)
  const { operator, operand, test } = random.pick(conditions(random, type, value))
  // What is neither true nor false, such as a comparison with null, stays so when it is negated.
  const isFit: Test = (row) => {
    const found = test(row[column] ?? null)
    return found !== null && found !== not
  }
  const start = `${not ? 'not.' : ''}${operator}.`
  if (random.chance(0.85)) return { query: `${column}=${start}${encodeURIComponent(operand)}`, test: isFit }
  const id = someId(scene, kind)
  const tree = `(${column}.${start}${isList(operator) || operator === 'is' ? operand : quoted(operand)},id.eq.${id})`
  return { query: `or=${encodeURIComponent(tree)}`, test: (row) => isFit(row) || row.id === id }
}

function compared(scene: Scene, kind: Kind): Compared {
  const { random, oracle } = scene
  const own = oracle.fields[kind]
  if (own.length > 0 && random.chance(0.6)) return comparedField(random, random.pick(own), oracle.mark)
  const column = random.pick(kind === 'project' ? ['id', 'id', 'bid_id', nameOf(kind)] : ['id', 'id', nameOf(kind)])
  if (column === nameOf(kind)) return { column, type: 'text', value: () => newName(scene) }
  return { column, type: 'uuid', value: () => someId(scene, column === 'bid_id' ? 'bid' : kind) }
}

const comparedField = (random: Random, field: ModelField, mark: string): Compared => ({
  column: field.name,
  type: field.type,
  value: () => someValue(random, field, mark),
})

interface Condition {
  readonly operator: string
  readonly operand: string
  /** null: neither true nor false. */
  readonly test: (value: Value) => boolean | null
}

function conditions(random: Random, type: Compared['type'], value: () => Value): readonly Condition[] {
  const one = value()
  const operand = textOf(one)
  const isSame = (found: Value): boolean => JSON.stringify(found) === JSON.stringify(one)
  const ofAll: Condition[] = [
    { operator: 'eq', operand, test: known(isSame) },
    { operator: 'eq', operand, test: known(isSame) },
    { operator: 'neq', operand, test: known((found) => !isSame(found)) },
    { operator: 'isdistinct', operand, test: (found) => !isSame(found) },
    { operator: 'is', operand: 'null', test: (found) => found === null },
  ]
  if (Array.isArray(one)) return [...ofAll, ...listConditions(one)]
  const many = [one, ...random.some(3, value)]
  const more =
    type === 'boolean' ? booleanConditions : ['text', 'choice', 'url', 'email'].includes(type) ? patterns : []
  return [
    ...ofAll,
    ...more,
    { operator: 'gt', operand, test: known((found) => compare(found, one) > 0) },
    { operator: 'gte', operand, test: known((found) => compare(found, one) >= 0) },
    { operator: 'lt', operand, test: known((found) => compare(found, one) < 0) },
    { operator: 'lte', operand, test: known((found) => compare(found, one) <= 0) },
    {
      operator: 'in',
      operand: `(${many.map((item) => quoted(textOf(item)))})`,
      test: known((found) => many.includes(found)),
    },
  ]
}

const known =
  (test: (value: Value) => boolean): Condition['test'] =>
  (value) =>
    value === null ? null : test(value)

function listConditions(one: readonly string[]): Condition[] {
  const operand = textOf(one)
  const items = (found: Value): readonly string[] => (Array.isArray(found) ? found : [])
  return [
    { operator: 'cs', operand, test: known((found) => one.every((item) => items(found).includes(item))) },
    { operator: 'cd', operand, test: known((found) => items(found).every((item) => one.includes(item))) },
    { operator: 'ov', operand, test: known((found) => one.some((item) => items(found).includes(item))) },
  ]
}

const booleanConditions: readonly Condition[] = [true, false].map((one) => ({
  operator: 'is',
  operand: String(one),
  test: (found) => found === one,
}))

const patterns: readonly Condition[] = [
  { operator: 'like', operand: '*a*', test: known((found) => String(found).includes('a')) },
  { operator: 'ilike', operand: '*A1', test: known((found) => String(found).toLowerCase().endsWith('a1')) },
]

const textOf = (value: Value): string => (Array.isArray(value) ? `{${value.map(quoted)}}` : String(value))
const isList = (operator: string): boolean => operator === 'in'
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
