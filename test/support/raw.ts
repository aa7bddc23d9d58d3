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

/** A POST whose body stops after five bytes until it is told to go on; then the answer. */
export function holdPost(base: string, path: string, headers: Fields, body: unknown) {
  const text = JSON.stringify(body)
  const fields = {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
    Connection: 'close',
  }
  const { socket, ended } = sendRaw(base, `POST ${path}`, fields, text.slice(0, 5))
  return {
    finish: (): Promise<string> => {
      socket.write(text.slice(5))
      return ended
    },
  }
}
