import type { Column, Field, FieldChoice, FieldRules, FieldType, Transitions } from '../api-types.ts'
import type { Entered } from '../columns/column-view.ts'
import { viewOf } from '../columns/column-views.tsx'
import { fieldTypes, hasChoices, isLimit, type RuleName } from './field-types.ts'

/** A choice while it is edited. Its key stays when its value is typed anew. */
export interface ChoiceForm extends FieldChoice {
  readonly key: string
  /** Rows may have it, so that its value stays. */
  readonly isStored: boolean
}

/** What is in the dialog of a field. */
export interface FieldForm {
  readonly resource: string
  readonly label: string
  readonly name: string
  readonly type: FieldType
  readonly description: string
  readonly required: boolean
  readonly indexed: boolean
  readonly defaultValue: Entered
  readonly rules: Readonly<Partial<Record<RuleName, string>>>
  readonly choices: readonly ChoiceForm[]
  /** Whether only some changes are allowed. */
  readonly hasStates: boolean
  /** Every change is allowed, but a new row begins with the initial value. The command line can define this. */
  readonly isOnlyStart: boolean
  /** Keys of choices, here and below. */
  readonly initial: string
  readonly start: Field['start']
  readonly transitions: Transitions
}

/** What a suggestion or a field says of the form; the rest is empty. */
export type FieldStart = Partial<Omit<Field, 'choices'>> & {
  readonly resource: string
  readonly choices?: readonly FieldChoice[] | null
}

let keys = 0
export const newChoice = (color: FieldChoice['color']): ChoiceForm => ({
  ...{ key: `new ${++keys}`, isStored: false, value: '', label: '', color, closed: false },
})

export function formOf(start: FieldStart): FieldForm {
  const { type = 'text', rules = {}, transitions = null, default_value: value = null } = start
  const isStored = start.id !== undefined
  const entered = Object.entries(rules).map(([rule, limit]) => [rule, limitText(type, rule as RuleName, limit)])
  return {
    ...{ resource: start.resource, label: start.label ?? '', name: start.name ?? '', type },
    ...{ description: start.description ?? '', required: start.required ?? false, indexed: start.indexed ?? false },
    defaultValue: value === null ? '' : viewOf(columnOf(type)).toEntered(value),
    rules: Object.fromEntries(entered),
    choices: (start.choices ?? []).map((choice) => ({ ...choice, key: choice.value, isStored })),
    hasStates: transitions !== null,
    isOnlyStart: transitions === null && (start.initial ?? null) !== null,
    ...{ initial: start.initial ?? '', start: start.start ?? 'initial', transitions: transitions ?? {} },
  }
}

const limitText = (type: FieldType, rule: RuleName, limit: unknown): string =>
  isLimit(rule) ? String(viewOf(columnOf(type)).toEntered(limit)) : String(limit)

/** `Contract value (€)` → `contract_value` */
export const nameFrom = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s_-]/g, '')
    .trim()
    .replace(/[\s_-]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)

/** What to send for a new field. */
export function bodyOf(form: FieldForm): Record<string, unknown> {
  const { resource, name, type } = form
  return { resource, name: name.trim(), type, ...changesOf(form) }
}

/** The same for one that there is, without what never changes. */
export function changesOf(form: FieldForm): Record<string, unknown> {
  const { label, description, required, indexed, type } = form
  const details = { label: label.trim(), description: description.trim(), required, indexed, rules: rulesOf(form) }
  if (!hasChoices(type)) return { ...details, default_value: defaultOf(form) }
  const choices = form.choices.map(({ key, isStored, ...choice }) => ({ ...choice, ...valueAndLabel(choice) }))
  if (type === 'choices') return { ...details, choices, default_value: defaultOf(form) }
  return { ...details, choices, ...statesOf(form) }
}

export const valueAndLabel = ({ value, label }: Pick<FieldChoice, 'value' | 'label'>) => ({
  value: value.trim() || nameFrom(label) || label.trim(),
  label: label.trim() || value.trim(),
})

function rulesOf({ type, rules }: FieldForm): FieldRules {
  const given = fieldTypes[type].rules.flatMap((rule) => {
    const text = rules[rule]?.trim() ?? ''
    if (text === '') return []
    return [[rule, isLimit(rule) ? viewOf(columnOf(type)).toValue(text) : Number(text)]]
  })
  return Object.fromEntries(given)
}

function defaultOf({ type, choices, defaultValue }: FieldForm): unknown {
  if (defaultValue.length === 0) return null
  if (type === 'choices') return [defaultValue].flat().flatMap((key) => valuesOf(choices, key))
  return viewOf(columnOf(type)).toValue(defaultValue)
}

/** The value of the choice that has this key; none where it is gone. */
const valuesOf = (choices: readonly ChoiceForm[], key: string): readonly string[] =>
  choices.filter((one) => one.key === key).map((one) => valueAndLabel(one).value)

/** With states, the initial value takes the place of the default. */
function statesOf({ choices, initial, start, transitions, defaultValue, ...form }: FieldForm) {
  if (!form.hasStates && !form.isOnlyStart) {
    const [usual = null] = valuesOf(choices, String(defaultValue))
    return { transitions: null, initial: null, start: 'initial', default_value: usual }
  }
  const pairs = Object.entries(transitions).flatMap(([from, next]) =>
    valuesOf(choices, from).map((value) => [value, next.flatMap((to) => valuesOf(choices, to))] as const),
  )
  const [first = null] = valuesOf(choices, initial)
  return { transitions: form.hasStates ? Object.fromEntries(pairs) : null, initial: first, start, default_value: null }
}

/** A column with values of the type, to enter a default or a limit. */
export const columnOf = (type: FieldType): Column => ({
  ...{ name: '', label: '', description: '', type, references: null, nullable: true, writable: true, needed: false },
  ...{ default: null, max_length: null, choices: null, states: null, own: true },
})
