import { connect, createServer, type Socket } from 'node:net'

/** An address that leads to one server now and to another later, as one does that is moved from machine to machine. */
export interface Relay {
  readonly port: number
  /** Cuts what is connected; new connections go there. */
  leadTo(port: number): void
  /** Lets nothing through any more that the server sends. */
  hold(): void
  close(): Promise<void>
}

export async function startRelay(firstPort: number): Promise<Relay> {
  let target = firstPort
  const pairs = new Set<readonly [client: Socket, server: Socket]>()
  const listener = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    const pair = [client, server] as const
    pairs.add(pair)
    client.pipe(server)
    server.pipe(client)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => cut(pair))
    }
  })
  const cut = (pair: readonly [Socket, Socket]): void => {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }
  const cutAll = (): void => {
    for (const pair of pairs) cut(pair)
  }
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (typeof address !== 'object' || !address) throw new Error('The relay does not listen')
  return {
    port: address.port,
    leadTo: (port) => {
      target = port
      cutAll()
    },
    hold: () => {
      for (const [client, server] of pairs) {
        server.unpipe(client)
        server.pause()
      }
    },
    close: async () => {
      cutAll()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
