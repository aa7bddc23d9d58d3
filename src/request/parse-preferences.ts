import { failure } from '../errors/index.ts'
import { nearest } from '../resources/nearest.ts'
import { type Preferences, preferenceRows } from './preferences.ts'

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
    const [name = '', text = ''] = preference.split('=', 2)
    if (Object.hasOwn(preferences, name)) continue
    const value = parsers.get(name)?.(text)
    if (value === undefined) invalid.push(preference)
    else preferences[name] = value
  }
  if (preferences.handling === 'strict') {
    if (sent.length > preferencesMax) throw failure.tooMuch('preferences', preferencesMax, 'Send each kind once.')
    const [first] = invalid
    if (first !== undefined) throw failure.preferencesInvalid(invalid.join(', '), nearest(first, spellings), known)
  }
  return preferences
}

const parsers = new Map<string, (text: string) => string | number | undefined>(
  preferenceRows.map(([name, { values, parse }]) => [
    name,
    parse ?? ((text) => (Object.hasOwn(values, text) ? text : undefined)),
  ]),
)

const spellings = preferenceRows.flatMap(([name, { values, parse }]) =>
  parse ? [] : Object.keys(values).map((value) => `${name}=${value}`),
)
const known = preferenceRows.map(([name, { values }]) => `${name}=${Object.keys(values).join('|')}`).join(', ')
