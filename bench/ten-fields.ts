import type { FieldType } from '../src/fields/field.ts'

/** A field that a company has in the benchmark, and its value in the project with a number, as SQL of both engines. */
export interface BenchField {
  readonly name: string
  readonly type: FieldType
  readonly choices?: readonly string[]
  /** An expression that makes the JSON of the value. */
  readonly json: string
}

const text = (before: string): string => `'"${before} ' || n || '"'`
const always = (json: string): string => `'${json}'`

/** What a company may track. */
export const tenFields: readonly BenchField[] = [
  { name: 'status', type: 'choice', choices: ['lead', 'won', 'lost'], json: always('"won"') },
  { name: 'site', type: 'text', json: text('Site') },
  { name: 'note', type: 'text', json: text('A note of some length about the project') },
  { name: 'contact', type: 'email', json: always('"ada@example.com"') },
  { name: 'plan_url', type: 'url', json: always('"https://example.com/plans"') },
  { name: 'number', type: 'integer', json: "'' || n" },
  { name: 'budget', type: 'integer', json: always('125000') },
  { name: 'starts_on', type: 'date', json: always('"2026-01-31"') },
  { name: 'due_on', type: 'date', json: always('"2026-12-24"') },
  { name: 'seen_at', type: 'timestamp', json: always('"2026-01-31T12:00:00+00:00"') },
]

/** Has another value in each project. */
export const indexedName = 'number'

/** The stored text of all of them in the project with the number `n`, as SQL. */
export const fieldsSql: string = [
  ...tenFields.map(({ name, json }, at) => `'${at === 0 ? '{' : ','}"${name}":' || ${json}`),
  "'}'",
].join(' || ')

/** A new row that sends them all. */
export const tenValues = {
  status: 'lead',
  site: 'Harbour',
  note: 'A note of some length about the project',
  contact: 'ada@example.com',
  plan_url: 'https://example.com/plans',
  number: 12,
  budget: 125_000,
  starts_on: '2026-01-31',
  due_on: '2026-12-24',
  seen_at: '2026-01-31T12:00:00+00:00',
}
