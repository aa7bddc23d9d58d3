import type { Caller } from '../stage.ts'

/** Reads events after the last number that it has seen, again and again, as an application does. */
export interface SequenceReader {
  readonly seen: ReadonlySet<string>
  readonly last: number
  /** Goes on until the event with this number was read. */
  finish(last: number): Promise<void>
}

interface Read {
  readonly sequence: number
  readonly id: string
}

export function startSequenceReader(base: string, { headers }: Caller): SequenceReader {
  const seen = new Set<string>()
  let last = 0
  let end = Number.POSITIVE_INFINITY

  async function read(): Promise<void> {
    while (last < end) {
      try {
        const answer = await fetch(`${base}/rest/v1/event?sequence=gt.${last}&select=sequence,id&limit=500`, {
          headers,
        })
        const events = answer.ok ? ((await answer.json()) as Read[]) : []
        for (const { id } of events) seen.add(id)
        last = events.at(-1)?.sequence ?? last
      } catch {}
      await Bun.sleep(1)
    }
  }

  const reading = read()
  return {
    seen,
    get last() {
      return last
    },
    finish: (number) => {
      end = number
      return reading
    },
  }
}
