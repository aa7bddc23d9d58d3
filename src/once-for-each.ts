/** Makes something for an object when it is first asked for, and keeps it as long as the object lives. */
export function onceForEach<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const made = new WeakMap<Key, Result>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const result = make(key)
    made.set(key, result)
    return result
  }
}

/** Of all texts together: more than applications have queries, and little enough for whoever sends ever new ones. */
const charactersMax = 500_000

/** Makes something from a text, and remembers it for whoever comes with the same text. It must not be a matter of who that is. */
export function onceForEachText<Result>(
  make: (text: string) => Result,
  textsMax = Number.POSITIVE_INFINITY,
): (text: string) => Result {
  const made = new Map<string, Result>()
  let characters = 0
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const result = make(text)
    characters += text.length
    if (characters > charactersMax || made.size >= textsMax) {
      made.clear()
      characters = text.length
    }
    made.set(text, result)
    return result
  }
}
