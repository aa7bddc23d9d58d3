/** The runtime by itself lets garbage grow to several hundred megabytes. */
const everyCharacters = 16 * 1024 * 1024

let since = 0

/** Told of large texts that will soon be garbage. Now and then, has it collected by another thread. */
export function noteGarbage(characters: number): void {
  since += characters
  if (since < everyCharacters) return
  since = 0
  Bun.gc(false)
}
