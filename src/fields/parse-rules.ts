import { scaleDefault, scaleMax } from '../types/decimal.ts'
import { choicesMax, type FieldRules, type FieldType } from './field.ts'
import { type Body, invalid, parseCount, parseObject, refuseOthers } from './parse-values.ts'

/** What a text of each type may have at most, and has where nothing is said. */
const lengths: Readonly<Partial<Record<FieldType, { readonly most: number; readonly usual: number }>>> = {
  text: { most: 4000, usual: 500 },
  url: { most: 2000, usual: 500 },
}

const ranged: readonly FieldType[] = ['integer', 'decimal', 'number', 'date', 'timestamp']

/** The rules that a type has, and no other. */
export function parseRules(value: unknown, type: FieldType): FieldRules {
  const body = parseObject('rules', value)
  const length = lengths[type]
  if (length) return parseLength(body, type, length)
  if (type === 'choices') return parseNumber(body)
  if (!ranged.includes(type)) {
    refuseOthers(body, [])
    return {}
  }
  refuseOthers(body, ['minimum', 'maximum', ...(type === 'decimal' ? ['scale'] : [])])
  return {
    ...parseLimit('minimum', body.minimum),
    ...parseLimit('maximum', body.maximum),
    ...(type === 'decimal' ? { scale: parseCount('scale', body.scale ?? scaleDefault, scaleMax) } : {}),
  }
}

function parseLength(body: Body, type: FieldType, { most, usual }: { readonly most: number; readonly usual: number }) {
  refuseOthers(body, type === 'text' ? ['min_length', 'max_length'] : ['max_length'])
  const max_length = parseCount('max_length', body.max_length ?? usual, most)
  const min_length = parseCount('min_length', body.min_length ?? 0, most)
  if (max_length === 0 || min_length > max_length)
    throw invalid('The shortest text is longer than the longest', 'Send "min_length" and "max_length" in order.')
  return type === 'text' ? { min_length, max_length } : { max_length }
}

function parseNumber(body: Body): FieldRules {
  refuseOthers(body, ['min_choices', 'max_choices'])
  const min_choices = parseCount('min_choices', body.min_choices ?? 0, choicesMax)
  const max_choices =
    body.max_choices === undefined ? undefined : parseCount('max_choices', body.max_choices, choicesMax)
  if (max_choices !== undefined && (max_choices === 0 || min_choices > max_choices))
    throw invalid(
      'The least number of choices is greater than the most',
      'Send "min_choices" and "max_choices" in order.',
    )
  return { min_choices, ...(max_choices === undefined ? {} : { max_choices }) }
}

function parseLimit(name: 'minimum' | 'maximum', value: unknown): FieldRules {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'number' && typeof value !== 'string')
    throw invalid(`"${name}" must be a value of the field`, 'Send a number, or a date as a text.')
  return { [name]: value }
}
