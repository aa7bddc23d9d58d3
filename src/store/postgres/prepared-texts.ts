import { BoundedMap } from '../../caches/bounded-map.ts'

/** Decides which statements are prepared: each takes memory on the server for the lifetime of the connection. */
export interface PreparedTexts {
  /** Whether a statement is prepared already, or may be. */
  admits(text: string): boolean
  /** Whether the connections should be replaced: the limit is reached, and they are older than `replaceMsMin`. */
  isFull(): boolean
  /** To be called when the connections have been replaced. */
  startOver(): void
}

/** A longer statement is not worth the memory. */
const lengthMax = 3000
/** For all statements. The server needs about 70 bytes per character. */
const charactersMax = 200_000
/** Bounds how often clients that send ever new statements can make us reconnect. */
const replaceMsMin = 60_000

/** Statements whose uses are counted. */
const countedMax = 5000

/** A statement is prepared from its `usesMin`th use on. */
export function createPreparedTexts(usesMin: number, now = () => performance.now()): PreparedTexts {
  const texts = new Set<string>()
  let characters = 0
  let since = now()
  const uses = new BoundedMap<number>(countedMax)

  function isUsedOften(text: string): boolean {
    if (usesMin === 1) return true
    const count = (uses.get(text) ?? 0) + 1
    if (count < usesMin) uses.set(text, count)
    else uses.delete(text)
    return count >= usesMin
  }

  return {
    admits: (text) => {
      if (texts.has(text)) return true
      if (text.length > lengthMax || characters + text.length > charactersMax || !isUsedOften(text)) return false
      texts.add(text)
      characters += text.length
      return true
    },
    isFull: () => characters + lengthMax > charactersMax && now() - since > replaceMsMin,
    startOver: () => {
      texts.clear()
      characters = 0
      since = now()
    },
  }
}
