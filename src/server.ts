import http from 'node:http'
import type { App } from './app.ts'
import type { Config } from './config/config.ts'
import { readTls } from './config/tls.ts'

export interface Listening {
  readonly base: string
  /** Finishes what is under way, and cuts what takes too long. */
  stop(): Promise<void>
}

/** Room for a filter by a thousand ids, and not for so many conditions that an engine would run out of parameters. */
const headerBytesMax = 128 * 1024

/** The one place that knows how requests come in. */
export function listen(
  config: Pick<Config, 'host' | 'port' | 'idleTimeoutS' | 'stopTimeoutS' | 'workers' | 'tls'>,
  app: App,
): Listening {
  const { host, port, idleTimeoutS, stopTimeoutS, workers } = config
  const tls = readTls(config)
  // Bun takes the limit of its servers from here.
  Object.assign(http, { maxHeaderSize: headerBytesMax })
  const peer = (http: Request): string => server.requestIP(http)?.address ?? ''
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: workers > 1,
    ...(tls ? { tls: { cert: tls.cert, key: tls.key } } : {}),
    idleTimeout: idleTimeoutS,
    // Our own limit answers with a body that says what to do; this one would only close the connection.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (http) => app(http, peer),
  })
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const stop = async (): Promise<void> => {
    const cut = setTimeout(() => void server.stop(true), stopTimeoutS * 1000)
    await server.stop()
    clearTimeout(cut)
  }
  return { base: `${tls ? 'https' : 'http'}://${shown}:${server.port}`, stop }
}

/** A port on which nobody listens yet. Those who share one would also share it with a stranger who does, and never know. */
export function findPort({ host, port }: Pick<Config, 'host' | 'port'>): number {
  const probe = Bun.listen({ hostname: host, port, socket: { open: (socket) => void socket.end(), data: () => {} } })
  probe.stop(true)
  return probe.port
}
