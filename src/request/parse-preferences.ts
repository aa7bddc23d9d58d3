import { failure } from '../errors.ts'
import { nearest } from '../resources/nearest.ts'

const choices = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const

type Choices = { readonly [Name in keyof typeof choices]?: (typeof choices)[Name][number] }

export interface Preferences extends Choices {
  /** Such as Europe/Berlin. */
  readonly timezone?: string
  readonly maxAffected?: number
}

export const noPreferences: Preferences = {}

/** `return=minimal, count=exact` → the first value of each kind. What is not known is ignored, or refused when asked to be strict. */
export function parsePreferences(header: string | null): Preferences {
  if (header === null) return noPreferences
  const preferences: Record<string, string | number> = {}
  const invalid: string[] = []
  for (const preference of header.split(',').map((part) => part.trim())) {
    if (preference === '') continue
    const [name = '', value = ''] = preference.split('=', 2)
    if (name === 'max-affected' && /^\d{1,9}$/.test(value)) preferences.maxAffected ??= Number(value)
    else if (name === 'timezone' && isTimeZone(value)) preferences.timezone ??= value
    else if (isChoice(name, value)) preferences[name] ??= value
    else invalid.push(preference)
  }
  if (preferences.handling === 'strict' && invalid.length > 0) {
    const [first = ''] = invalid
    throw failure.preferencesInvalid(invalid.join(', '), nearest(first, spellings), known)
  }
  return preferences
}

const spellings = Object.entries(choices).flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
const known = [
  ...Object.entries(choices).map(([name, values]) => `${name}=${values.join('|')}`),
  'timezone=NAME',
  'max-affected=N',
].join(', ')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

function isChoice(name: string, value: string): boolean {
  const values: readonly string[] | undefined = Object.hasOwn(choices, name)
    ? choices[name as keyof typeof choices]
    : undefined
  return values?.includes(value) ?? false
}
