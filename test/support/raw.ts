import { connect, type Socket } from 'node:net'

type Fields = Readonly<Record<string, string>>

/** A connection that says what it is told to, and waits in between. */
export interface Raw {
  readonly socket: Socket
  /** What has come back so far. */
  received(): string
  /** All that came back, once the connection is closed. */
  readonly ended: Promise<string>
}

/** Sends the head of a request, and what stands behind it. */
export function sendRaw(base: string, line: string, fields: Fields, start = ''): Raw {
  const head = Object.entries({ Host: 'test', ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(`${line} HTTP/1.1\r\n${head.join('')}\r\n${start}`)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  return { socket, received: () => received, ended }
}

/** A POST whose body stops after five bytes until it is told to go on. */
export interface HeldPost {
  /** Resolves when the service has taken up the request. */
  readonly begun: Promise<void>
  /** The answer, or nothing where the connection was closed without one. */
  readonly answer: Promise<string>
  /** Sends the rest of the body. */
  finish(): Promise<string>
}

export function holdPost(base: string, path: string, headers: Fields, body: unknown): HeldPost {
  const text = JSON.stringify(body)
  const fields = {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
    // What it is answered with tells that the request has begun.
    Expect: '100-continue',
    Connection: 'close',
  }
  const { socket, ended } = sendRaw(base, `POST ${path}`, fields, text.slice(0, 5))
  const answer = ended.then((received) => received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''))
  return {
    begun: new Promise((resolve) => socket.once('data', () => resolve())),
    answer,
    finish: () => {
      socket.write(text.slice(5))
      return answer
    },
  }
}

/** Whether nobody listens there any more. */
export function isRefused(base: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.once('error', () => resolve(true))
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}
