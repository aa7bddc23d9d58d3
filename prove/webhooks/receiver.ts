import { Webhook } from 'standardwebhooks'

/** An endpoint that refuses some of what it is sent, and remembers what it has received. */
export interface FlakyReceiver {
  readonly url: string
  /** How often each event was received, by its id. */
  readonly received: ReadonlyMap<string, number>
  /** Events that came before an earlier one of their row. */
  readonly early: readonly string[]
  readonly forged: readonly string[]
  stop(): Promise<void>
}

interface Told {
  readonly data: { readonly id: string; readonly sequence: number; readonly row_id: string }
}

export function startReceiver(secret: () => string, failingShare: number): FlakyReceiver {
  const received = new Map<string, number>()
  const latest = new Map<string, number>()
  const [early, forged]: [string[], string[]] = [[], []]
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0 },
    fetch: async (http) => {
      const text = await http.text()
      try {
        new Webhook(secret()).verify(text, Object.fromEntries(http.headers))
      } catch {
        forged.push(text)
      }
      if (Math.random() < failingShare) return new Response('not now', { status: 503 })
      const { data }: Told = JSON.parse(text)
      const before = latest.get(data.row_id) ?? 0
      if (!received.has(data.id) && data.sequence < before) early.push(text)
      latest.set(data.row_id, Math.max(before, data.sequence))
      received.set(data.id, (received.get(data.id) ?? 0) + 1)
      return new Response('ok')
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, received, early, forged, stop: () => server.stop(true) }
}
