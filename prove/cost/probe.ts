/** `bun prove/cost/probe.ts`: another company lists its projects without a pause, and tells how long it had to wait. */
export type ProbeMessage =
  | { readonly kind: 'ask'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'begin' | 'end' }

/** How long the lists of one span of time took, in milliseconds. */
export interface Waits {
  readonly count: number
  readonly p99: number
  readonly longest: number
}

const pauseMs = 2
let asked: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | null = null
let waits: number[] = []
let isEnding = false

process.on('message', (message: ProbeMessage) => {
  if (message.kind === 'ask') asked = message
  else if (message.kind === 'begin') waits = []
  else isEnding = true
})
process.on('disconnect', () => process.exit(0))

for (;;) {
  if (asked) await list(asked)
  // Only now: what was asked before the end may be what had to wait.
  if (isEnding) {
    isEnding = false
    process.send?.(summary())
  }
  await Bun.sleep(pauseMs)
}

async function list({ url, headers }: NonNullable<typeof asked>): Promise<void> {
  const startedAt = performance.now()
  const answer = await fetch(url, { headers }).catch(() => null)
  await answer?.arrayBuffer().catch(() => null)
  waits.push(performance.now() - startedAt)
}

function summary(): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    longest: sorted.at(-1) ?? 0,
  }
}
