import type { Socket } from 'bun'

/** A request that is done by one who has the right to it. */
export interface RightRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Where the request is held: in its body, or before the end of its head where nothing waits for a body. */
export type HeldIn = 'body' | 'head'

/** A request of which a part was sent, and the rest is to come. */
export interface HeldRequest {
  /** Whether the whole answer has come. */
  isAnswered(): boolean
  /** 0: there was none, or the connection was closed. */
  status(): number
  sendRest(): void
  /** Until it is answered or closed. */
  ended(withinMs: number): Promise<void>
  close(): void
}

const bodyBytesSent = 5

export async function hold(base: string, request: RightRequest, heldIn: HeldIn): Promise<HeldRequest> {
  const { host, port } = new URL(base)
  const head = headOf(request, host)
  const cut = heldIn === 'body' ? head.length + bodyBytesSent : head.length - 2
  const bytes = head + request.body
  let answer = ''
  const { promise, resolve } = Promise.withResolvers<void>()
  const close = (): void => resolve()
  const socket: Socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(port),
    socket: {
      data: (_, data) => {
        answer += data.toString('latin1')
        resolve()
      },
      close,
      end: close,
      error: close,
      connectError: close,
    },
  })
  socket.write(bytes.slice(0, cut))
  return {
    // Every answer to a write is short, and comes in one piece.
    isAnswered: () => answer !== '',
    status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0),
    sendRest: () => void socket.write(bytes.slice(cut)),
    ended: async (withinMs) => {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, withinMs)
      await Promise.race([promise, late.promise])
      clearTimeout(timer)
    },
    close: () => socket.terminate(),
  }
}

function headOf({ method, path, headers, body }: RightRequest, host: string): string {
  const fields = Object.entries({
    ...headers,
    Host: host,
    ...(body === '' ? {} : { 'Content-Length': String(body.length) }),
  })
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}
