import { type Column, type OwnField, type States, typeOf } from '../resources/define.ts'
import type { Definition, FieldDocument } from './field.ts'
import type { FieldSet } from './field-rows.ts'

/** A field as every other part of the service knows it: a column. */
export const columnOfField = (field: FieldDocument, { restored }: Pick<FieldSet, 'restored'>): Column => ({
  ...definedColumn(field),
  field: {
    id: field.id,
    wasArchived: field.archived_at !== null || restored.includes(field.name),
    index: indexOf(field),
    ...given('states', statesOf(field)),
  },
})

/** Of a field that is no longer indexed, every write keeps the index until all processes know that. */
function indexOf({ indexed, indexed_at }: FieldDocument): OwnField['index'] {
  if (indexed) return indexed_at === null ? 'partial' : 'complete'
  return indexed_at === null ? null : 'partial'
}

function statesOf({ initial, start, transitions }: FieldDocument): States | undefined {
  if (initial === null && transitions === null) return undefined
  return { starts: initial === null || start === 'any' ? null : [initial], next: transitions }
}

/** The same for one that is not stored yet. */
export function definedColumn(field: Definition): Column {
  const { name, label, type, rules, choices } = field
  const described = { name, label, type, description: field.description || label, nullable: true as const }
  const column: Column = {
    ...described,
    ...(field.required ? { required: true as const } : {}),
    ...given('minLength', rules.min_length),
    ...given('maxLength', rules.max_length),
    ...given('minItems', rules.min_choices),
    ...given('maxItems', rules.max_choices ?? choices?.length),
    ...given('scale', rules.scale),
    ...given(
      'choices',
      choices?.map(({ closed, ...choice }) => ({ ...choice, isClosed: closed })),
    ),
  }
  const stored = (value: unknown): string | undefined =>
    value === null || value === undefined ? undefined : typeOf(column).parse(value, name)
  return {
    ...column,
    ...given('minimum', stored(rules.minimum)),
    ...given('maximum', stored(rules.maximum)),
    ...given('default', stored(field.initial ?? field.default_value)),
  }
}

const given = <Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> =>
  value === undefined ? {} : ({ [name]: value } as Record<Name, Value>)
