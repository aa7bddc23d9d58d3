import type { Socket } from 'bun'
import type { Sent } from './fuzz-request.ts'

/** What came of a request: an answer, the end of the connection, or nothing in time. */
export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'silent' }

const closed: Outcome = { kind: 'closed' }
const silent: Outcome = { kind: 'silent' }

/** A connection of its own, one request at a time, with nothing between us and the bytes. */
export class Wire {
  private socket: Socket | null = null
  private received = ''
  private isHead = false
  private settle: ((outcome: Outcome) => void) | null = null
  private ended = Promise.resolve()

  constructor(private readonly port: number) {}

  async send(sent: Sent, withinMs: number): Promise<Outcome> {
    const isUsed = this.socket !== null
    const outcome = await this.sendOnce(sent, withinMs)
    // A connection that was idle may be closed in the moment in which it is used again: that says nothing of the request.
    const isStale = isUsed && outcome.kind === 'closed' && this.received === ''
    return isStale ? this.sendOnce(sent, withinMs) : outcome
  }

  private async sendOnce({ bytes, isHead }: Sent, withinMs: number): Promise<Outcome> {
    const socket = this.socket ?? (await this.open())
    this.received = ''
    this.isHead = isHead
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const timer = setTimeout(() => resolve(silent), withinMs)
    this.settle = resolve
    if (this.socket === null) resolve(closed)
    else this.write(socket, Buffer.from(bytes, 'latin1'))
    const outcome = await promise
    clearTimeout(timer)
    this.settle = null
    return outcome
  }

  /** Whether the other side has ended the connection within this time. */
  async endsWithin(ms: number): Promise<boolean> {
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), ms)
    const isEnded = await Promise.race([this.ended.then(() => true), late.promise])
    clearTimeout(timer)
    if (!isEnded) this.close()
    return isEnded
  }

  close(): void {
    this.socket?.terminate()
    this.socket = null
  }

  private async open(): Promise<Socket> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    const end = () => {
      this.socket = null
      this.settle?.(answerIn(this.received, this.isHead, true) ?? closed)
      resolve()
    }
    this.socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: this.port,
      socket: {
        data: (_, data) => this.take(data),
        drain: (socket) => this.write(socket, this.unsent),
        close: end,
        end: (socket) => {
          socket.end()
          end()
        },
        error: end,
        connectError: end,
      },
    })
    return this.socket
  }

  private unsent: Buffer = Buffer.alloc(0)

  private write(socket: Socket, bytes: Buffer): void {
    this.unsent = bytes.subarray(Math.max(0, socket.write(bytes)))
  }

  private take(data: Buffer): void {
    this.received += data.toString('latin1')
    if (this.settle) {
      const answer = answerIn(this.received, this.isHead, false)
      if (!answer) return
      this.settle(answer)
    }
    // Live changes have no end.
    if (isLive(this.received)) this.close()
  }
}

const isLive = (received: string): boolean => /\r\ncontent-type: text\/event-stream/i.test(received.slice(0, 4096))

/** The first whole answer, if there is one by now. Informational ones are passed over. */
function answerIn(received: string, isHead: boolean, isEnded: boolean): Outcome | null {
  const at = received.indexOf('\r\n\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(received)?.[1])
  if (at < 0 || !status) return null
  if (status < 200) return answerIn(received.slice(at + 4), isHead, isEnded)
  const head = received.slice(0, at)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
  const hasBody = !isHead && status !== 204 && status !== 304
  const isWhole =
    isEnded ||
    !hasBody ||
    isLive(head) ||
    (isChunked ? received.endsWith('\r\n0\r\n\r\n') : received.length >= at + 4 + length)
  return isWhole ? { kind: 'answer', status, text: received } : null
}
