import { BoundedMap } from './bounded-map.ts'

/** Caches one result per object, for the lifetime of the object. What else is given must follow from the object. */
export function memoize<Key extends object, Result, More = void>(
  make: (key: Key, more: More) => Result,
): (key: Key, more: More) => Result {
  const made = new WeakMap<Key, Result>()
  return (key, more) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const result = make(key, more)
    made.set(key, result)
    return result
  }
}

/** For all texts of one cache together. */
const charactersMax = 500_000

/** Caches one result per text, in a bounded cache. All companies share it, so the result must depend on the text only. */
export function memoizeText<Result>(
  make: (text: string) => Result,
  textsMax = Number.POSITIVE_INFINITY,
): (text: string) => Result {
  const made = new BoundedMap<Result>(textsMax, charactersMax)
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const result = make(text)
    made.set(text, result)
    return result
  }
}
