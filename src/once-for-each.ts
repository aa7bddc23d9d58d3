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
