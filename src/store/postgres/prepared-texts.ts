/** Decides which statements connections keep prepared: each takes memory on the server for as long as they live. */
export interface PreparedTexts {
  /** Whether a statement is kept, or still may be. */
  admits(text: string): boolean
  /** Whether new connections are due: no more fits, and those that there are have lived for a while. */
  isFull(): boolean
  /** New connections keep nothing yet. */
  startOver(): void
}

/** A statement that is longer takes more memory than it saves time. */
const lengthMax = 3000
/** All together; a server needs about seventy bytes for each character. */
const charactersMax = 200_000
/** Connections are not made anew more often than this, whoever sends ever new statements. */
const livesMs = 60_000

export function createPreparedTexts(now = () => performance.now()): PreparedTexts {
  const texts = new Set<string>()
  let characters = 0
  let since = now()
  return {
    admits: (text) => {
      if (texts.has(text)) return true
      if (text.length > lengthMax || characters + text.length > charactersMax) return false
      texts.add(text)
      characters += text.length
      return true
    },
    isFull: () => characters + lengthMax > charactersMax && now() - since > livesMs,
    startOver: () => {
      texts.clear()
      characters = 0
      since = now()
    },
  }
}
