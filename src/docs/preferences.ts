import { all, changes, type Method, writes } from '../methods.ts'
import type { JsonObject } from './schemas.ts'

/** What a preference asks for, and the methods that heed it. */
const preferences: readonly [name: string, methods: readonly Method[], meaning: string][] = [
  ['return=representation', writes, 'answer with the rows'],
  ['return=minimal', writes, 'answer without a body'],
  ['return=headers-only', writes, 'answer without a body, with `Location`'],
  ['count=exact', all, 'count all rows that match, in `Content-Range`'],
  ['count=planned', all, 'the same here as `count=exact` on reads'],
  ['count=estimated', all, 'the same here as `count=exact` on reads'],
  ['resolution=merge-duplicates', ['POST'], 'change rows that are there already'],
  ['resolution=ignore-duplicates', ['POST'], 'leave rows that are there already as they are'],
  ['missing=default', ['POST', 'PATCH'], 'fields that a row lacks get their default'],
  ['missing=null', ['POST', 'PATCH'], 'fields that a row lacks are null'],
  ['handling=strict', all, 'refuse preferences that are not known, and reads that are not scoped to a company'],
  ['handling=lenient', all, 'ignore preferences that are not known'],
  ['timezone=NAME', all, 'show times in this zone, such as `Europe/Berlin`'],
  ['max-affected=N', changes, 'with `handling=strict`: change nothing if it would be more than N rows'],
  ['tx=commit', all, 'accepted, and the same as nothing'],
  ['tx=rollback', all, 'accepted and ignored'],
]

export function preferHeader(method: Method): JsonObject {
  const known = preferences.filter(([, methods]) => methods.includes(method))
  return {
    name: 'Prefer',
    in: 'header',
    description: `Wishes, separated by commas: ${known.map(([name, , meaning]) => `\`${name}\` ${meaning}`).join('; ')}.`,
    schema: { type: 'string', 'x-preferences': known.map(([name]) => name) },
    example: method === 'GET' || method === 'HEAD' ? 'count=exact' : 'return=representation',
  }
}
