import type { FieldType } from '../../src/fields/field.ts'

/** A field of the company with large rows, as its owner defines it. */
interface LargeField {
  readonly name: string
  readonly type: FieldType
  readonly [part: string]: unknown
}

/** As many as a text may have. */
const letters = 4000

/** By name, what a text of a row with texts of every kind is like: each is slow for some operator or cast. */
const kindsOfText: Readonly<Record<string, string>> = {
  text_0: 'a '.repeat(letters / 2),
  text_1: 'a'.repeat(letters),
  text_2: `0.${'0'.repeat(letters - 3)}1`,
  text_3: Array.from({ length: letters }, (_, at) => 'ab'[((at * 1_103_515_245 + 12_345) >> 8) & 1]).join(''),
  text_4: 'alpha beta '.repeat(letters / 11),
  text_5: '9'.repeat(letters),
  text_6: '"'.repeat(letters),
}

/** What every row has of the other types. */
const short: Readonly<Record<string, unknown>> = {
  ...{ amount: 7, price: 12.25, ratio: 0.5, is_open: true, due_on: '2026-01-31', seen_at: '2026-01-31T12:00:00+00:00' },
  ...{ state: 's0', kinds: ['k0'], plan_url: 'https://example.com/', contact: 'a@example.com' },
}

/** Each may follow each: almost as many as there may be. */
const states = Array.from({ length: 44 }, (_, at) => `s${at}`)
const wide = '猫'

/** As wide as the document of an API can get. */
const choices = Array.from({ length: 100 }, (_, at) => ({
  value: `${at} ${wide.repeat(56)}`,
  label: `${at} ${wide.repeat(90)}`,
}))

const detailsOf: Readonly<Record<string, object>> = {
  state: {
    choices: states,
    initial: 's0',
    start: 'any',
    transitions: Object.fromEntries(states.map((one) => [one, states])),
  },
  kinds: { choices: ['k0', 'k1', 'k2'], rules: { max_choices: 1 } },
  plan_url: { rules: { max_length: 100 } },
}

const types: Readonly<Record<string, FieldType>> = {
  ...{ amount: 'integer', price: 'decimal', ratio: 'number', is_open: 'boolean', due_on: 'date', seen_at: 'timestamp' },
  ...{ state: 'choice', kinds: 'choices', plan_url: 'url', contact: 'email' },
}

const longTexts = Object.keys(kindsOfText)
/** As many fields as there may be. */
const fieldsMax = 64
export const choiceNames = Array.from(
  { length: fieldsMax - longTexts.length - Object.keys(types).length },
  (_, at) => `choice_${at}`,
)

/** Fields of every type, as many and as large as there may be. */
export const liveFields = (resource: string): readonly LargeField[] => [
  ...longTexts.map((name) => longText(resource, name)),
  ...Object.entries(types).map(([name, type]) => ({ resource, name, type, ...detailsOf[name] })),
  ...choiceNames.map((name) => ({
    ...{ resource, name, type: 'choice' as const, choices },
    ...{ label: wide.repeat(100), description: wide.repeat(500) },
  })),
]

const longText = (resource: string, name: string): LargeField => ({
  ...{ resource, name, type: 'text', rules: { max_length: letters } },
})

/** Those that were there before, as many as are kept beside the others. */
export const archivedFields = (resource: string): readonly LargeField[] =>
  Array.from({ length: fieldsMax }, (_, at) => longText(resource, `old_${at}`))

/** The fields as a row holds them: each letter as long in JSON as it can be, or texts of every kind. */
export const largestRow = rowWith(Object.fromEntries(longTexts.map((name) => [name, '\u0001'.repeat(letters)])))
export const largeRow = rowWith(kindsOfText)
export const archivedRow = (names: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, '\u0001'.repeat(letters)])))

function rowWith(texts: Readonly<Record<string, string>>): string {
  const unset = Object.fromEntries(choiceNames.map((name) => [name, null]))
  return JSON.stringify({ ...texts, ...short, ...unset })
}
