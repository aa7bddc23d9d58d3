import { isIP } from 'node:net'

/** Tells the address of the other end of a request's connection. To find it out takes a while. */
export type Peer = (http: Request) => string

/** Where a request comes from: the connection's other end, or what the trusted proxies in front of us say of theirs. */
export function clientAddress(headers: Headers, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0) return peer
  // Each proxy appends whom it was called by; whatever stands before those entries was written by the client itself.
  const hop = headers.get('x-forwarded-for')?.split(',').at(-trustedProxies)?.trim() ?? ''
  return isIP(hop) ? hop : peer
}

/** Whom an address is lent to: one IPv4 address, or the 64 bits with which all IPv6 addresses of a network begin. */
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
