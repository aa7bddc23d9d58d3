/** What is sent again and again is short, and there are few kinds of it. */
const lengthMax = 500
const rememberedMax = 1000

/** Makes something from a text, and remembers it for whoever comes with the same text. It must not be a matter of who that is. */
export function onceForEachText<Result>(make: (text: string) => Result): (text: string) => Result {
  const made = new Map<string, Result>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    const result = make(text)
    if (made.size >= rememberedMax) made.clear()
    if (text.length <= lengthMax) made.set(text, result)
    return result
  }
}
