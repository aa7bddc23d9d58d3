/** The name that someone who wrote `word` most likely meant, or null where none is close. */
export function nearest(word: string, names: readonly string[]): string | null {
  const short = word.slice(0, 64).toLowerCase()
  const [best] = names
    .map((name) => ({ name, distance: distanceBetween(short, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return best?.name ?? null
}

/** Levenshtein's: how many letters to add, drop or change. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
