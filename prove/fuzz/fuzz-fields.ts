import { type FieldType, fieldTypes } from '../../src/fields/field.ts'
import type { Random } from '../random.ts'
import { moment, name, oddText } from './fuzz-text.ts'

const states = ['lead', 'won', 'lost', 'ünsicher']
/** One state leads nowhere, and one to itself alone. */
const transitions = { lead: ['won', 'lost'], won: ['won'], ünsicher: ['lead'] }

/** The fields of one resource: one of each type, called `own_0` and so on. With `shift`, the same names have other types. */
export const ownFields = (resource: string, shift: number): Readonly<Record<string, unknown>>[] =>
  fieldTypes.map((_, at) => {
    const type = fieldTypes[(at + shift) % fieldTypes.length] as FieldType
    return { resource, name: ownNames[at], type, ...detailsOf[type], indexed: at < 6 && type !== 'choices' }
  })

export const ownNames = fieldTypes.map((_, at) => `own_${at}`)

const detailsOf: Readonly<Partial<Record<FieldType, object>>> = {
  choice: { choices: states, initial: 'lead', start: 'any', transitions },
  choices: { choices: states },
  decimal: { rules: { scale: 3 } },
}

/** A value as JSON that some type takes. */
export function ownValue(random: Random): unknown {
  return random.mostly<() => unknown>(
    [
      () => random.pick(states),
      () => random.some(3, () => random.pick(states)),
      () => random.below(1000),
      () => random.pick([0.5, -0.001, 1e-7, 2 ** 53, '12.345', '0.0005']),
      () => random.chance(0.5),
      () => moment(random),
      () => name(random),
      () => random.pick(['https://example.com/', 'a@example.com', '2026-02-28', null]),
    ],
    [() => ({ a: 1 }), () => [null], () => 1e308, () => oddText(random), () => '9'.repeat(400)],
  )()
}

/** The same as the operand of a filter. */
export function ownOperand(random: Random): string {
  const value = ownValue(random)
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value)
}

/** What an owner sends to define a field, or to change one. */
export function fieldBody(random: Random): Record<string, unknown> {
  const type = random.pick(fieldTypes)
  const body: Record<string, unknown> = {
    resource: random.pick(['project', 'bid']),
    name: `f${random.below(60)}`,
    type,
    ...detailsOf[type],
  }
  const parts: readonly (() => void)[] = [
    () => Object.assign(body, { label: name(random) }),
    () => Object.assign(body, { required: random.chance(0.5) }),
    () => Object.assign(body, { default_value: ownValue(random) }),
    () => Object.assign(body, { indexed: random.chance(0.7) }),
    () => Object.assign(body, { rules: random.pick(rules) }),
    () => Object.assign(body, { choices: random.pick(choices) }),
    () => Object.assign(body, { initial: random.pick(states) }),
    () => Object.assign(body, { transitions: random.pick([null, transitions, { lead: 'won' }, { x: [] }]) }),
    () => Object.assign(body, { name: random.pick(['id', 'status', 'Öl', '', 'count', '__proto__', 'x'.repeat(64)]) }),
  ]
  for (const part of random.some(2, () => random.pick(parts))) part()
  return body
}

const rules = [
  { minimum: 0, maximum: 10 },
  { minimum: 10, maximum: 0 },
  { scale: 7 },
  { max_length: 501 },
  { min_length: 1, max_length: 5 },
  { min_choices: 1, max_choices: 2 },
  { minimum: 'x' },
  { unknown: 1 },
  [],
]

const choices = [
  states,
  [],
  ['a', 'a'],
  [{ value: 'a', color: 'green', closed: true }],
  [{ color: 'red' }],
  Array.from({ length: 101 }, (_, at) => `c${at}`),
  null,
]

/** What a page sends for PATCH: only some of a definition, and mostly nothing that is fixed. */
export function fieldChange(random: Random): Record<string, unknown> {
  const { resource, name: fixed, type, ...rest } = fieldBody(random)
  return random.chance(0.9) ? rest : { resource, name: fixed, type, ...rest }
}

/** What a page sends to bring fields into another order. */
export const fieldOrder = (random: Random, known: readonly string[]): Record<string, unknown> => ({
  resource: random.pick(['project', 'bid']),
  ids: random.some(3, () => (random.chance(0.9) ? random.pick(known) : random.uuid())),
})
