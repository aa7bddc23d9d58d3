import { BoundedMap } from '../caches/bounded-map.ts'
import { memoize } from '../caches/memoize.ts'
import { type Column, columnsOf, isWritable, type Resource, typeOf } from '../resources/define.ts'
import { validateFields } from '../resources/validate.ts'

/** What the names in a body mean. */
export interface SentColumns {
  readonly sent: readonly Column[]
  /** Those that only the server sets. */
  readonly sentBack: readonly Column[]
  /** For each column of the resource. */
  readonly areSent: readonly boolean[]
  /** The names of those that take any JSON value as its text. */
  readonly asText: readonly string[]
}

/** Clients send few different sets of names. */
const keptMax = 10

const keptOf = memoize((_: Resource) => new BoundedMap<SentColumns>(keptMax))

/** Finds the columns once for all bodies that name the same. Refuses names that are unknown, or that only the server sets. */
export function sentColumns(resource: Resource, names: readonly string[], maySendBack: boolean): SentColumns {
  const kept = keptOf(resource)
  // The name of a column has no blank, so a list of names that is kept shares its text with no other list.
  const text = `${maySendBack} ${names.length} ${names.join(' ')}`
  const known = kept.get(text)
  if (known) return known
  const found = findColumns(resource, names, maySendBack)
  kept.set(text, found)
  return found
}

function findColumns(resource: Resource, names: readonly string[], maySendBack: boolean): SentColumns {
  const named = validateFields(resource, names, maySendBack)
  const sent = named.filter(isWritable)
  return {
    sent,
    sentBack: named.filter((column) => !isWritable(column)),
    areSent: columnsOf(resource).map((column) => sent.includes(column)),
    asText: sent.filter((column) => typeOf(column).takesJsonText).map(({ name }) => name),
  }
}
