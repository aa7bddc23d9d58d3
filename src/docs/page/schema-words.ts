import type { Schema } from './openapi-types.ts'

/** The type of a value in words: `string (uuid) or null`, `array of string`. */
export function typeWords({ type, format, items, anyOf, allOf, $ref }: Schema): string {
  if ($ref) return nameOf($ref)
  if (allOf?.[0]) return typeWords(allOf[0])
  if (anyOf) return anyOf.map(typeWords).join(' or ')
  const types = type === undefined ? ['any'] : [type].flat()
  return types
    .map((one) => (one === 'array' ? `array of ${typeWords(items ?? {})}` : one === 'null' ? one : named(one, format)))
    .join(' or ')
}

const named = (type: string, format: string | undefined): string =>
  format === undefined ? type : `${type} (${format})`

/** `#/components/schemas/bid_selected` → bid */
const nameOf = (ref: string): string => ref.replace(/^.*\//, '').replace(/_selected$/, '')

/** What a value must keep to: `1 to 255 characters`, `default open`. */
export function limitWords(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, maxItems, enum: choices, default: value } = schema
  return [
    ...between(minLength, maxLength, 'characters'),
    ...between(minimum, maximum, ''),
    ...between(undefined, maxItems, 'items'),
    ...(choices ? [`one of ${choices.join(', ')}`] : []),
    ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
  ]
}

function between(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return []
  const range =
    least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `${least} to ${most}`
  return [`${range} ${unit}`.trim()]
}
