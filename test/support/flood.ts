import { connect } from 'node:net'

/** Sends requests over a few connections, many at a time on each, and waits until all are answered. */
export async function flood(base: string, path: string, count: number): Promise<void> {
  const connections = 8
  await Promise.all(Array.from({ length: connections }, () => sendMany(base, path, Math.ceil(count / connections))))
}

const atOnce = 200
const start = 'HTTP/1.1 '

function sendMany(base: string, path: string, count: number): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  return new Promise((resolve, reject) => {
    let sent = 0
    let answered = 0
    let tail = ''
    const send = () => {
      const more = Math.min(atOnce - (sent - answered), count - sent)
      sent += more
      socket.write(request.repeat(more))
    }
    const socket = connect(Number(new URL(base).port), '127.0.0.1', send)
    socket.on('data', (bytes) => {
      // The start of an answer may be split between two reads.
      const parts = `${tail}${bytes}`.split(start)
      answered += parts.length - 1
      tail = parts.at(-1)?.slice(1 - start.length) ?? ''
      if (answered >= count) socket.end()
      else if (sent - answered < atOnce / 2 && sent < count) send()
    })
    socket.once('error', reject)
    socket.once('close', () => (answered >= count ? resolve() : reject(new Error(`Only ${answered} answers came`))))
  })
}
