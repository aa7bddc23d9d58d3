import { isIP } from 'node:net'

/** Looks up the remote address of a request's connection. Slow: call it only when needed. */
export type Peer = (http: Request) => string

/** The client's address: the remote end of the connection, or what the trusted proxies report in X-Forwarded-For. */
export function clientAddress(headers: Headers, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0) return peer
  // Each proxy appends the address that called it. The client itself can write anything before those entries.
  const hop = headers.get('x-forwarded-for')?.split(',').at(-trustedProxies)?.trim() ?? ''
  return isIP(hop) ? hop : peer
}

/** The network that is counted as one client: a single IPv4 address, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [head = '', tail] = address.split('::')
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  const network = [...left, ...zeros, ...right].slice(0, 4)
  return network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
