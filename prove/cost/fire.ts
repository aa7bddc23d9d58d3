import type { Socket } from 'bun'
import type { Manner } from './attack-request.ts'

/** What became of one connection. */
export interface Shot {
  /** 0: there was no answer. */
  readonly status: number
  /** The whole answer has come. */
  readonly isAnswered: boolean
}

export interface Firing {
  readonly port: number
  readonly manner: Manner | undefined
  /** Where nothing more is done on a connection: until when it is kept. */
  readonly held: Promise<unknown> | null
  /** How long a slow one takes. */
  readonly heldMs: number
  /** How long an answer is waited for. */
  readonly patienceMs: number
}

const slowParts = 20

/** Sends one request on a connection of its own, and reads the answer unless it is the manner not to. */
export async function fire(bytes: Buffer, { port, manner, held, heldMs, patienceMs }: Firing): Promise<Shot> {
  const reader = new AnswerReader(bytes.toString('latin1', 0, 5) === 'HEAD ')
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  let unsent: Buffer = Buffer.alloc(0)
  const write = (socket: Socket): void => {
    unsent = unsent.subarray(Math.max(0, socket.write(unsent)))
  }
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, data) => {
        if (reader.take(data)) end()
      },
      drain: write,
      close: end,
      end: (socket) => void socket.end(),
      error: end,
      connectError: end,
    },
  }).catch(() => null)
  if (!socket) return { status: 0, isAnswered: false }
  const timer = held ? undefined : setTimeout(end, patienceMs)
  void held?.then(end)
  if (manner === 'unread') socket.pause()
  for (const part of partsOf(bytes, manner)) {
    unsent = Buffer.concat([unsent, part])
    write(socket)
    if (manner === 'slow') await Promise.race([ended, Bun.sleep(heldMs / slowParts)])
  }
  await ended
  clearTimeout(timer)
  socket.terminate()
  return { status: reader.status, isAnswered: reader.isWhole }
}

function partsOf(bytes: Buffer, manner: Manner | undefined): readonly Buffer[] {
  if (manner === 'half') return [bytes.subarray(0, Math.ceil(bytes.length / 2))]
  if (manner !== 'slow') return [bytes]
  const size = Math.ceil(bytes.length / slowParts)
  return Array.from({ length: slowParts }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** Follows an answer to its end, and keeps nothing of it. */
class AnswerReader {
  status = 0
  isWhole = false
  private head = ''
  private missing = 0
  private isChunked = false
  private tail = ''

  constructor(private readonly isHead: boolean) {}

  /** Whether this was the last part. */
  take(data: Buffer): boolean {
    const body = this.status === 0 ? this.takeHead(data) : data
    if (!body) return false
    this.missing -= body.length
    this.tail = (this.tail + body.subarray(-5).toString('latin1')).slice(-5)
    this.isWhole = this.hasNoBody() || (this.isChunked ? this.tail === '0\r\n\r\n' : this.missing <= 0)
    return this.isWhole
  }

  private hasNoBody(): boolean {
    return this.isHead || this.status === 204 || this.status === 304
  }

  private takeHead(data: Buffer): Buffer | null {
    this.head += data.toString('latin1')
    const at = this.head.indexOf('\r\n\r\n')
    if (at < 0) return null
    const text = this.head.slice(0, at)
    this.status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0)
    this.missing = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
    this.isChunked = /\r\ntransfer-encoding: *chunked/i.test(text)
    return Buffer.from(this.head.slice(at + 4), 'latin1')
  }
}
