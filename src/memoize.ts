import { BoundedMap } from './bounded-map.ts'

/** Computes a result once for each object and keeps it as long as the object lives. */
export function memoize<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const made = new WeakMap<Key, Result>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const result = make(key)
    made.set(key, result)
    return result
  }
}

/** For all texts together. */
const charactersMax = 500_000

/** The same for texts, in a bounded cache. All companies share it, so the result must depend on the text alone. */
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
