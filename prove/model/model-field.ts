import type { Random } from '../random.ts'
import type { Value } from './model-oracle.ts'

/** A company's own field, as the model knows it. */
export interface ModelField {
  /** That of the service, by which it is changed. */
  readonly id: string
  readonly name: string
  readonly type: ModelType
  readonly isRequired: boolean
  readonly isIndexed: boolean
  /** What a new row has where nothing is sent. */
  readonly usual: Value
  readonly states: ModelStates | null
}

interface ModelStates {
  /** null: a new row may have any. */
  readonly initial: string | null
  readonly next: Readonly<Record<string, readonly string[]>>
}

interface TypeRules {
  /** Some values, as they are sent and shown. `mark` names the company. */
  values(mark: string): readonly Exclude<Value, null | undefined>[]
  /** A value that it refuses. */
  readonly bad: { readonly value: Value; readonly code: string }
}

const words = ['new', 'open', 'on hold', 'done', 'lost']
const choicesOf = (mark: string): string[] => words.map((word) => `${mark} ${word}`)

/** By type, without code of the service. */
const types = {
  text: {
    values: (mark) => ['', `${mark} a1`, `${mark} A1`, `${mark} "b\\`, `${mark} Ärger`, `${mark} z`],
    bad: { value: 'x'.repeat(501), code: '23514' },
  },
  integer: { values: () => [-3, 0, 1, 2, 10, Number.MAX_SAFE_INTEGER], bad: { value: 'x', code: '22P02' } },
  decimal: { values: () => [-0.01, 0, 1.5, 2, 10.25, 99999.99], bad: { value: 'x', code: '22P02' } },
  number: { values: () => [-2, 0, 0.1, 1e-7, 2, 10, 1e15], bad: { value: 'x', code: '22P02' } },
  boolean: { values: () => [true, false], bad: { value: 'maybe', code: '22P02' } },
  date: { values: () => ['2025-12-01', '2026-01-31', '2026-02-01'], bad: { value: '2026-02-30', code: '22008' } },
  timestamp: {
    values: () => ['2025-12-01T00:00:00+00:00', '2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00.5+00:00'],
    bad: { value: '2026-02-30T00:00:00+00:00', code: '22008' },
  },
  choice: { values: choicesOf, bad: { value: 'none of them', code: '23514' } },
  choices: {
    values: (mark) => [[], choicesOf(mark).slice(0, 1), choicesOf(mark).slice(0, 3), choicesOf(mark).slice(2, 4)],
    bad: { value: ['none of them'], code: '23514' },
  },
  url: { values: () => ['https://a.example/b', 'http://b.example/?c=d'], bad: { value: 'nowhere', code: '23514' } },
  email: { values: () => ['ada@a.example', 'bob@b.example'], bad: { value: 'nobody', code: '23514' } },
} as const satisfies Readonly<Record<string, TypeRules>>

export type ModelType = keyof typeof types

export const someValue = (random: Random, { type }: Pick<ModelField, 'type'>, mark: string): Value =>
  random.pick<Value>(types[type].values(mark))

/** What may be sent for a field: mostly a value, sometimes none, rarely a bad one. */
export function sentValue(random: Random, field: ModelField, mark: string): Value {
  const { type, isRequired, states } = field
  if (random.chance(0.005)) return types[type].bad.value
  if (states?.initial && random.chance(0.6)) return states.initial
  return random.chance(isRequired ? 0.01 : 0.15) ? null : someValue(random, field, mark)
}

/** The code with which a value is refused, whatever the row has. */
export function refusal({ type, isRequired }: ModelField, value: Value): string | null {
  if (value === null) return isRequired ? '23502' : null
  const { bad } = types[type]
  return JSON.stringify(value) === JSON.stringify(bad.value) ? bad.code : null
}

export const mayStart = ({ states }: ModelField, value: Value): boolean =>
  states?.initial == null || value === states.initial

/** A row from before the field has no value, and may start then. */
export function mayFollow(field: ModelField, from: Value, to: Value): boolean {
  const { states } = field
  if (!states || (from ?? null) === to) return true
  if (typeof from !== 'string') return mayStart(field, to)
  return typeof to === 'string' && (states.next[from] ?? []).includes(to)
}

/** A new field, and what the service is sent to make it. */
export function newField(
  random: Random,
  mark: string,
  name: string,
): { field: Omit<ModelField, 'id'>; definition: object } {
  const type = random.pick(Object.keys(types) as ModelType[])
  const isRequired = random.chance(0.15)
  const isIndexed = type !== 'choices' && random.chance(0.3)
  const choices = type === 'choice' || type === 'choices' ? { choices: choicesOf(mark) } : {}
  const common = { name, type, required: isRequired, indexed: isIndexed, ...choices }
  if (type === 'choice' && random.chance(0.6)) {
    const [initial = '', ...others] = choicesOf(mark)
    const next = Object.fromEntries(
      [initial, ...others].map((from) => [from, random.some(3, () => random.pick(others))]),
    )
    const isFree = random.chance(0.3)
    const states = { initial: isFree ? null : initial, next }
    const start = isFree ? 'any' : 'initial'
    return {
      field: { name, type, isRequired, isIndexed, usual: initial, states },
      definition: { ...common, initial, start, transitions: next },
    }
  }
  const usual = random.chance(0.4) ? someValue(random, { type }, mark) : null
  return {
    field: { name, type, isRequired, isIndexed, usual, states: null },
    definition: { ...common, default_value: usual },
  }
}
