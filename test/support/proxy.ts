import { createConnection, createServer, type Socket } from 'node:net'

/** When a connection is lost: before the server is given what was sent, after it was, or after the server has answered. */
export type Moment = 'before' | 'sent' | 'answered'

/** Stands between a client and a server, and does to their connections what networks do. */
export interface TcpProxy {
  readonly port: number
  /** The address of the server, by way of the proxy. */
  url(direct: string): string
  /** Lets everything through, and what was held back, too. */
  pass(): void
  /** Cuts all connections, and each new one at once. */
  drop(): void
  /** Keeps all connections, takes new ones, and lets nothing through in either direction. */
  freeze(): void
  /** Freezes the connections that there are, for good, and lets new ones through: another machine has taken the address over. */
  strand(): void
  /** Cuts the connection on which a client sends these bytes, and lets all others through. Tells when it has happened. */
  dropAt(text: string, moment: Moment): Promise<void>
  /** The same, at the end of the transaction in which a client sends these bytes. */
  dropAtCommitOf(text: string, moment: Moment): Promise<void>
  /** The same, but freezes the connection: nothing more comes of it, and nobody is told. */
  freezeAt(text: string): Promise<void>
  /** Sends new connections to another server. Those that are open stay where they are. */
  redirect(port: number): void
  close(): Promise<void>
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  /** What happens to this connection alone. */
  fate: Moment | 'frozen' | null
  readonly held: (() => void)[]
}

interface Trap {
  readonly text: string
  /** What the same connection has to send after the text. */
  readonly last: string | null
  /** The connection on which the text was sent. */
  link: Link | null
  readonly fate: Moment | 'frozen'
  sprung(): void
}

/** Starts a proxy before the server at this port of this machine. */
export async function startProxy(target: number): Promise<TcpProxy> {
  const links = new Set<Link>()
  let mode: 'pass' | 'drop' | 'freeze' = 'pass'
  let trap: Trap | null = null
  let targetPort = target

  const cut = (link: Link): void => {
    links.delete(link)
    link.client.destroy()
    // What was written just now still has to arrive: the server may well act on it.
    link.server.end()
  }
  const isHeld = (link: Link): boolean => mode === 'freeze' || link.fate === 'frozen'
  const orHold = (link: Link, work: () => void): void => {
    if (isHeld(link)) link.held.push(work)
    else work()
  }

  function fromClient(link: Link, bytes: Buffer): void {
    if (trap && isSprung(link, trap, bytes)) spring(link, trap)
    if (link.fate !== 'before') link.server.write(bytes)
    if (link.fate === 'before' || link.fate === 'sent') cut(link)
  }

  function isSprung(link: Link, entered: Trap, bytes: Buffer): boolean {
    if (bytes.includes(entered.text)) entered.link ??= link
    return entered.link === link && (entered.last === null || bytes.includes(entered.last))
  }

  function spring(link: Link, { fate, sprung }: Trap): void {
    trap = null
    link.fate = fate
    sprung()
  }

  const listener = createServer((client) => {
    if (mode === 'drop') return void client.destroy()
    const server = createConnection(targetPort, '127.0.0.1')
    const link: Link = { client, server, fate: null, held: [] }
    links.add(link)
    client.on('data', (bytes: Buffer) => orHold(link, () => fromClient(link, bytes)))
    server.on('data', (bytes: Buffer) => {
      if (link.fate === 'answered') cut(link)
      else orHold(link, () => client.write(bytes))
    })
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      // A machine that cannot be reached does not even say good-bye.
      socket.on('close', () => orHold(link, () => cut(link)))
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const trapAt = (text: string, fate: Trap['fate'], last: string | null = null): Promise<void> =>
    new Promise((sprung) => {
      trap = { text, last, link: null, fate, sprung }
    })

  return {
    port,
    url: (direct) => {
      const url = new URL(direct)
      url.port = String(port)
      return url.href
    },
    pass: () => {
      mode = 'pass'
      for (const link of links) {
        if (link.fate === 'frozen') link.fate = null
        for (const work of link.held.splice(0)) work()
      }
    },
    drop: () => {
      mode = 'drop'
      for (const link of [...links]) cut(link)
    },
    freeze: () => {
      mode = 'freeze'
    },
    strand: () => {
      for (const link of links) link.fate = 'frozen'
    },
    dropAt: (text, moment) => trapAt(text, moment),
    dropAtCommitOf: (text, moment) => trapAt(text, moment, 'COMMIT'),
    freezeAt: (text) => trapAt(text, 'frozen'),
    redirect: (to) => {
      targetPort = to
    },
    close: () => {
      for (const link of [...links]) cut(link)
      return new Promise((resolve) => listener.close(() => resolve()))
    },
  }
}
