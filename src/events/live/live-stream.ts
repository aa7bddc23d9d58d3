import type { Right } from '../../store/database.ts'
import type { StoredEvent } from '../../store/events/read-events.ts'
import type { LiveView } from './live-view.ts'

/** What may wait for a reader before more is read for it. */
const drainedBelow = 64 * 1024
/** A reader that takes nothing for so long is let go. It can go on where it was. */
const stalledMs = 60_000

/** The changes for one reader. Whoever iterates takes all that is there, and waits where there is nothing. */
export class LiveStream implements AsyncIterableIterator<string> {
  private waiting = ''
  private isEnded = false
  private wakeReader: (() => void) | null = null
  private wakeWriter: (() => void) | null = null
  private sentAt = performance.now()
  private takenAt = performance.now()
  private isConfirming = false

  constructor(
    private readonly view: LiveView,
    /** The number of the last event that was looked at for this reader. */
    public position: number,
    private readonly right: Right | undefined,
    private readonly closed: () => void,
  ) {
    this.send(`retry: 1000\nid: ${position}\n\n`)
  }

  get ended(): boolean {
    return this.isEnded
  }

  offer(event: StoredEvent): void {
    if (this.isEnded || event.sequence <= this.position) return
    this.position = event.sequence
    const text = this.view.show(event)
    if (text !== null) this.send(text)
  }

  /** Characters that the reader has not taken. */
  get unread(): number {
    return this.waiting.length
  }

  /** The reader has taken most of what was sent. */
  get isDrained(): boolean {
    return this.unread <= drainedBelow
  }

  /** Tells the reader that the stream lives, and how far it is. */
  beat(heartbeatMs: number): void {
    if (this.waiting !== '' && performance.now() - this.takenAt > stalledMs) this.end()
    else if (performance.now() - this.sentAt >= heartbeatMs) this.send(`: heartbeat\nid: ${this.position}\n\n`)
  }

  /** Ends the stream where its reader has no right to it any more. */
  async confirm(readMsMax: number): Promise<void> {
    if (this.isConfirming || this.isEnded) return
    this.isConfirming = true
    try {
      await this.right?.(readMsMax)
    } catch {
      this.end()
    } finally {
      this.isConfirming = false
    }
  }

  private send(text: string): void {
    this.sentAt = performance.now()
    this.waiting += text
    this.wakeReader?.()
  }

  /** Waits until the reader has taken most of what is there. */
  async drained(): Promise<void> {
    while (!this.isEnded && !this.isDrained)
      await new Promise<void>((resolve) => {
        this.wakeWriter = resolve
      })
  }

  end(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.waiting = ''
    this.wakeReader?.()
    this.wakeWriter?.()
    this.closed()
  }

  async next(): Promise<IteratorResult<string>> {
    while (this.waiting === '' && !this.isEnded)
      await new Promise<void>((resolve) => {
        this.wakeReader = resolve
      })
    this.wakeReader = null
    const value = this.waiting
    this.waiting = ''
    this.takenAt = performance.now()
    this.wakeWriter?.()
    return this.isEnded ? { done: true, value: undefined } : { done: false, value }
  }

  async return(): Promise<IteratorResult<string>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
