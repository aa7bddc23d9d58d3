import { ApiError } from '../errors/index.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys } from '../resources/relations.ts'
import { validateValue } from '../resources/validate.ts'
import { shown } from '../types/column-type.ts'
import { definedColumn } from './column-of-field.ts'
import { type Definition, type FieldType, fieldTypes } from './field.ts'
import { parseChoices, parseInitial, parseStart, parseTransitions } from './parse-choices.ts'
import { parseRules } from './parse-rules.ts'
import { type Body, inPart, invalid, parseFlag, parseText, refuseOthers } from './parse-values.ts'
import { reservedNames } from './reserved-names.ts'

/** The resources that companies can add fields to. */
const takers = resources.filter(({ takesFields }) => takesFields)

export function takerOf(name: string): Resource {
  const resource = takers.find((one) => one.name === name)
  if (!resource) throw new Error(`There is no resource ${name} with fields`)
  return resource
}

const settable = [
  ...['label', 'description', 'required', 'default_value', 'rules', 'choices'],
  ...['initial', 'start', 'transitions', 'indexed'],
]

/** What an owner sends for a new field → its definition, with everything that was left out. */
export function parseDefinition(body: Body): Definition {
  refuseOthers(body, ['resource', 'name', 'type', ...settable])
  const resource = parseResource(body.resource)
  const name = inPart('name', () => parseName(body.name, resource))
  const type = inPart('type', () => parseType(body.type))
  return checked(withDetails({ resource, name, type }, { label: labelOf(name), ...body }))
}

/** What an owner sends for a field that there is → the definition that it has then. */
export function parseChange(before: Definition, body: Body): Definition {
  for (const fixed of ['resource', 'name', 'type'] as const) {
    if (body[fixed] !== undefined && body[fixed] !== before[fixed])
      throw invalid(`The ${fixed} of a field cannot change`, 'Archive the field, and create another one.')
  }
  const { resource, name, type, ...rest } = body
  refuseOthers(rest, settable)
  const { resource: ofBefore, name: named, type: typed, ...details } = before
  const after = withDetails({ resource: ofBefore, name: named, type: typed }, { ...details, ...rest })
  if (after.rules.scale !== before.rules.scale)
    throw invalid('The digits after the decimal point cannot change', 'Archive the field, and create another one.')
  return checked(after)
}

function withDetails(field: Pick<Definition, 'resource' | 'name' | 'type'>, body: Body): Definition {
  const { type } = field
  const choices = inPart('choices', () => parseChoices(body.choices, type))
  return {
    ...field,
    label: inPart('label', () => parseText('label', body.label, { minLength: 1, maxLength: 100 })),
    description: inPart('description', () =>
      parseText('description', body.description ?? '', { minLength: 0, maxLength: 500 }),
    ),
    required: parseFlag('required', body.required),
    default_value: body.default_value ?? null,
    rules: inPart('rules', () => parseRules(body.rules ?? {}, type)),
    choices,
    initial: inPart('initial', () => parseInitial(body.initial, choices, type)),
    start: parseStart(body.start),
    transitions: inPart('transitions', () => parseTransitions(body.transitions, choices, type)),
    indexed: parseFlag('indexed', body.indexed),
  }
}

export function parseResource(value: unknown): string {
  const names = takers.map(({ name }) => String(name))
  if (typeof value !== 'string' || !names.includes(value))
    throw invalid(`There is no resource ${shown(value ?? null)} with fields of companies`, `Use ${names.join(' or ')}.`)
  return value
}

function parseName(value: unknown, resource: string): string {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9_]{0,62}$/.test(value))
    throw invalid(
      `${shown(value ?? null)} cannot be the name of a field`,
      'A name has 1 to 63 letters a to z, digits and underscores, and starts with a letter.',
    )
  if (takenNames(resource).includes(value))
    throw invalid(
      `A field cannot be called "${value}"`,
      'The name is reserved for built-in columns. Choose another one.',
    )
  return value
}

/** Columns, and all that an embed can name. */
const takenNames = (resource: string): string[] => [
  ...reservedNames,
  ...resources.flatMap((one) => [
    one.name,
    ...(one.name === resource ? one.columns.keys() : []),
    ...foreignKeys(one).map(({ constraint }) => constraint),
  ]),
]

function parseType(value: unknown): FieldType {
  const type = fieldTypes.find((one) => one === value)
  if (!type) throw invalid(`There is no type ${shown(value ?? null)}`, `Use one of ${fieldTypes.join(', ')}.`)
  return type
}

/** `contract_value` → "Contract value" */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What depends on more than one part of the definition. */
function checked(field: Definition): Definition {
  const { transitions, initial, start, default_value: value } = field
  if (transitions !== null && initial === null && start !== 'any')
    throw invalid('A field with transitions needs an initial value', 'Send "initial", or "start": "any".', 'initial')
  if (initial !== null && value !== null)
    throw invalid('The initial value is the default', 'Leave "default_value" out.', 'default_value')
  if (field.indexed) inPart('indexed', () => refuseUnindexable(field))
  checkValues(field)
  return field
}

/** PostgreSQL allows 2,700 bytes in an entry of an index. */
export const indexedLengthMax = 500

function refuseUnindexable({ type, rules }: Definition): void {
  if (type === 'choices')
    throw invalid('Several choices cannot be indexed', 'Index a field with one value for each row.')
  if ((type === 'text' || type === 'url') && (rules.max_length ?? 0) > indexedLengthMax)
    throw invalid(
      `An indexed text has at most ${indexedLengthMax} characters`,
      `Set "max_length" to ${indexedLengthMax} or less.`,
    )
}

/** A definition is read once, and rows are written long after. */
function refuseRelative(column: Column, values: readonly unknown[]): void {
  const relative = values.find((value) => typeof value === 'string' && typeOf(column).isRelative?.(value))
  if (relative !== undefined)
    throw invalid(`"${relative}" is another time for each row`, 'Send a fixed time, or the value with each row.')
}

/** The default and the range are values of the field, and the default meets its rules. */
function checkValues(field: Definition): void {
  const bare = { ...field, initial: null, default_value: null }
  const column = inPart('rules', () => fitting(() => definedColumn(bare)))
  inPart('rules', () => refuseRelative(column, [field.rules.minimum, field.rules.maximum]))
  inPart('default_value', () => refuseRelative(column, [field.default_value]))
  const { minimum, maximum } = column
  if (minimum !== undefined && maximum !== undefined && typeOf(column).compare(minimum, maximum) > 0)
    throw invalid('The least value is greater than the greatest', 'Send "minimum" and "maximum" in order.', 'rules')
  const value = field.initial ?? field.default_value
  if (value === null) return
  inPart(field.initial === null ? 'default_value' : 'initial', () =>
    fitting(() => validateValue(takerOf(field.resource), definedColumn(field), value)),
  )
}

function fitting<Value>(check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalid(`A value of the definition does not fit: ${error.message}`, error.more.hint ?? '')
  }
}
