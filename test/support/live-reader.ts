import { until } from './service.ts'
import type { World } from './world.ts'

interface Change {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of an event
  readonly data: any
}

/** A reader of server-sent events. */
export class LiveReader {
  readonly changes: Change[] = []
  text = ''
  lastId = ''
  isEnded = false
  private rest = ''

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {}

  /** Where it is not refused, its stream has begun when this returns. */
  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<LiveReader> {
    const abort = new AbortController()
    const response = await fetch(url, {
      headers: { Accept: 'text/event-stream', ...headers },
      signal: abort.signal,
    })
    const reader = new LiveReader(response, abort)
    if (response.status !== 200) return reader
    void reader.read()
    await until(() => reader.lastId !== '')
    return reader
  }

  close(): void {
    this.abort.abort()
  }

  /** The changes, once there are so many. */
  async take(count: number): Promise<Change[]> {
    await until(() => this.changes.length >= count)
    return this.changes
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const bytes of this.response.body ?? []) this.add(decoder.decode(bytes, { stream: true }))
    } catch {}
    this.isEnded = true
  }

  private add(text: string): void {
    this.text += text
    const blocks = (this.rest + text).split('\n\n')
    this.rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)))
      if (fields.id) this.lastId = fields.id
      if (fields.data) this.changes.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
    }
  }
}

/** Waits until the rows that a world begins with have their events, which would otherwise be the first ones in a stream. */
export async function settled({ acme, rival }: World): Promise<void> {
  for (const tenant of [acme, rival])
    await until(async () => (await tenant.get(`/event?row_id=in.(${tenant.bid},${tenant.project})`)).json.length === 2)
}
