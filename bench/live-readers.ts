import type { Company } from './place.ts'

/** An event that has arrived with one of the readers. */
interface Arrival {
  /** Of the row. */
  readonly name: string
  readonly at: number
}

export interface LiveReaders {
  readonly arrivals: readonly Arrival[]
  close(): void
}

/** Opens so many live streams for each company. Sockets, because a client in the same process would be the bottleneck. */
export async function openReaders(base: string, companies: readonly Company[], each: number): Promise<LiveReaders> {
  const arrivals: Arrival[] = []
  const { hostname, port } = new URL(base)
  const open = async ({ caller }: Company) => {
    const begun = Promise.withResolvers<void>()
    let rest = ''
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, bytes) => {
          const at = performance.now()
          const events = (rest + bytes.toString()).split('\n\n')
          rest = events.pop() ?? ''
          for (const event of events) {
            if (event.includes('retry: ')) begun.resolve()
            const [, name] = /"bid_name":"(change \d+)"/.exec(event) ?? []
            if (name !== undefined) arrivals.push({ name, at })
          }
        },
        close: () => begun.reject(new Error(`A live stream ended: ${rest}`)),
        error: (_, error) => begun.reject(error),
      },
    })
    const headers = Object.entries({ ...caller, Host: hostname, Accept: 'text/event-stream' })
    socket.write(
      `GET /rest/v1/bid HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    )
    await begun.promise
    return socket
  }
  const sockets: Awaited<ReturnType<typeof open>>[] = []
  for (const company of companies)
    sockets.push(...(await Promise.all(Array.from({ length: each }, () => open(company)))))
  return {
    arrivals,
    close: () => {
      for (const socket of sockets) socket.end()
    },
  }
}
