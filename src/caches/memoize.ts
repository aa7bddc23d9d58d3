import { BoundedMap } from './bounded-map.ts'

/** Caches one result per object, for the lifetime of the object. Further arguments must follow from the object. */
export function memoize<Key extends object, Rest extends readonly unknown[], Result>(
  make: (key: Key, ...rest: Rest) => Result,
): (key: Key, ...rest: Rest) => Result {
  const made = new WeakMap<Key, Result>()
  return (key, ...rest) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const result = make(key, ...rest)
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
