/** `bun prove/cost/probe.ts`: another company lists its projects and creates some, without a pause, and tells how long it had to wait. */
export type ProbeMessage =
  | { readonly kind: 'ask'; readonly list: Asked; readonly create: Asked }
  | { readonly kind: 'begin' | 'end' }

interface Asked {
  readonly url: string
  readonly init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string }
}

/** How long the requests of one span of time took, in milliseconds. */
export interface Waits {
  readonly count: number
  readonly p99: number
  readonly longest: number
}

/** Of each kind. */
export interface AllWaits {
  readonly list: Waits
  readonly create: Waits
}

/** Each as soon as it is known. */
export type Told = Partial<AllWaits>

const probes = { list: createProbe(2), create: createProbe(50) }

process.on('message', (message: ProbeMessage) => {
  if (message.kind === 'ask') {
    probes.list.ask(message.list)
    probes.create.ask(message.create)
  } else if (message.kind === 'begin') {
    probes.list.begin()
    probes.create.begin()
  } else {
    void probes.list.end().then((list) => process.send?.({ list } satisfies Told))
    void probes.create.end().then((create) => process.send?.({ create } satisfies Told))
  }
})
process.on('disconnect', () => process.exit(0))

/** Asks for the same again and again. */
function createProbe(pauseMs: number) {
  let asked: Asked | null = null
  let waits: number[] = []
  let beganAt = 0
  let end: ((waits: Waits) => void) | null = null
  void run()
  return {
    ask: (next: Asked): void => {
      asked = next
    },
    begin: (): void => {
      waits = []
      beganAt = performance.now()
    },
    /** After the one that is under way: what was asked before the end may be what had to wait. */
    end: (): Promise<Waits> => {
      const told = Promise.withResolvers<Waits>()
      end = told.resolve
      return told.promise
    },
  }

  async function run(): Promise<never> {
    for (;;) {
      if (asked) await ask(asked)
      end?.(summary(waits))
      end = null
      await Bun.sleep(pauseMs)
    }
  }

  async function ask({ url, init }: Asked): Promise<void> {
    const startedAt = performance.now()
    const answer = await fetch(url, init).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    // What had to wait before the span did not wait for what was done in it.
    waits.push(performance.now() - Math.max(startedAt, beganAt))
  }
}

function summary(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    longest: sorted.at(-1) ?? 0,
  }
}
