/** Counts what is done in each turn of the event loop. */
export function countTurns() {
  const counts = new Map<number, number>()
  let turn = 0
  let timer = setImmediate(next)
  function next(): void {
    turn += 1
    timer = setImmediate(next)
  }
  return {
    note: (): void => void counts.set(turn, (counts.get(turn) ?? 0) + 1),
    mostInOne: (): number => Math.max(0, ...counts.values()),
    stop: (): void => clearImmediate(timer),
  }
}

/** Takes longer than one turn of the event loop has for such work. */
export function burn(): void {
  for (const ends = performance.now() + 6; performance.now() < ends; );
}
