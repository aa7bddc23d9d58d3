import http from 'node:http'
import type { App } from './app.ts'
import type { Config } from './config/config.ts'
import { readTls } from './config/tls.ts'

export interface Listening {
  readonly base: string
  /** Waits for running requests, and closes their connections after `stopTimeoutS`. */
  stop(): Promise<void>
}

/** Enough for a filter by a thousand ids, but not for more parameters than an engine allows. */
const headerBytesMax = 128 * 1024

/** With less, the runtime closes connections after four seconds, whatever is sent on them. */
const idleSecondsMin = 5

/** The only use of `Bun.serve`. */
export function listen(
  config: Pick<Config, 'host' | 'port' | 'idleTimeoutS' | 'stopTimeoutS' | 'workers' | 'tls'>,
  app: App,
): Listening {
  const { host, port, idleTimeoutS, stopTimeoutS, workers } = config
  const tls = readTls(config)
  // Bun.serve reads its header limit from node:http.
  Object.assign(http, { maxHeaderSize: headerBytesMax })
  const peer = (http: Request): string => server.requestIP(http)?.address ?? ''
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: workers > 1,
    ...(tls ? { tls: { cert: tls.cert, key: tls.key } } : {}),
    idleTimeout: Math.max(idleSecondsMin, idleTimeoutS),
    // Otherwise the runtime has a route of its own, /bun:info, and writes to standard error, where a full pipe would block this thread.
    development: false,
    // Our own limit responds with a helpful error; this one would only close the connection.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (http) => app(http, peer),
  })
  const stop = async (): Promise<void> => {
    const cut = setTimeout(() => void server.stop(true), stopTimeoutS * 1000)
    await server.stop()
    clearTimeout(cut)
  }
  return { base: `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${server.port}`, stop }
}

/** Where a service that listens on `host` can be reached from this machine. */
export const hostInUrl = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

/** Checks that the port is free. With `reusePort`, workers would silently share it with another program. */
export function findPort({ host, port }: Pick<Config, 'host' | 'port'>): number {
  const probe = Bun.listen({ hostname: host, port, socket: { open: (socket) => void socket.end(), data: () => {} } })
  probe.stop(true)
  return probe.port
}
