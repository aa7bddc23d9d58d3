import { failure } from '../errors/index.ts'
import { memoizeText } from '../memoize.ts'
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

/** More than there are kinds. What comes behind them is ignored, or refused when asked to be strict. */
const preferencesMax = 30

/** `return=minimal, count=exact` → the first value of each kind. What is not known is ignored, or refused when asked to be strict. */
export function parsePreferences(header: string | null): Preferences {
  if (header === null) return noPreferences
  const preferences: Record<string, string | number> = {}
  const invalid: string[] = []
  const sent = header.split(',', preferencesMax + 1)
  for (const part of sent.slice(0, preferencesMax)) {
    const preference = part.trim()
    if (preference === '') continue
    const [name = '', value = ''] = preference.split('=', 2)
    const key = name === 'max-affected' ? 'maxAffected' : name
    if (Object.hasOwn(preferences, key)) continue
    if (isKnown(name, value)) preferences[key] = name === 'max-affected' ? Number(value) : value
    else invalid.push(preference)
  }
  if (preferences.handling === 'strict') {
    if (sent.length > preferencesMax) throw failure.tooMuch('preferences', preferencesMax, 'Send each kind once.')
    const [first] = invalid
    if (first !== undefined) throw failure.preferencesInvalid(invalid.join(', '), nearest(first, spellings), known)
  }
  return preferences
}

function isKnown(name: string, value: string): boolean {
  if (name === 'max-affected') return /^\d{1,9}$/.test(value)
  return name === 'timezone' ? isTimeZone(value) : isChoice(name, value)
}

const spellings = Object.entries(choices).flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
const known = [
  ...Object.entries(choices).map(([name, values]) => `${name}=${values.join('|')}`),
  'timezone=NAME',
  'max-affected=N',
].join(', ')

/** There are about 600, and offsets such as +05:30. */
const zonesMax = 1000
/** The longest name has 30 letters. */
const zoneNameMax = 64

const isTimeZone = (name: string): boolean => name.length <= zoneNameMax && isKnownZone(name)

const isKnownZone = memoizeText((name) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}, zonesMax)

function isChoice(name: string, value: string): boolean {
  const values: readonly string[] | undefined = Object.hasOwn(choices, name)
    ? choices[name as keyof typeof choices]
    : undefined
  return values?.includes(value) ?? false
}
