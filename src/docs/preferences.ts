import { isRead, type Method } from '../methods.ts'
import { preferenceRows } from '../request/preferences.ts'
import type { JsonObject } from './schemas.ts'

/** What each preference asks for. */
export const makePreferences = (): JsonObject => Object.fromEntries(preferenceRows.flatMap(meaningsOf))

export function preferHeader(method: Method): JsonObject {
  const known = preferenceRows.filter(([, { methods }]) => methods.includes(method)).flatMap(meaningsOf)
  return {
    name: 'Prefer',
    in: 'header',
    description: `Wishes, separated by commas: ${known.map(([wish, meaning]) => `\`${wish}\` ${meaning}`).join('; ')}.`,
    schema: { type: 'string', 'x-preferences': known.map(([wish = '']) => wish) },
    example: isRead(method) ? 'count=exact' : 'return=representation',
  }
}

const meaningsOf = ([name, { values }]: (typeof preferenceRows)[number]): [string, string][] =>
  Object.entries(values).map(([value, meaning]) => [`${name}=${value}`, meaning])
