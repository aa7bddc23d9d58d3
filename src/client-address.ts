import { isIP } from 'node:net'

/** Where a request comes from: the connection's other end, or what the trusted proxies in front of us say of theirs. */
export function clientAddress(headers: Headers, peer: string, trustedProxies: number): string {
  if (trustedProxies === 0) return peer
  // Each proxy appends whom it was called by; whatever stands before those entries was written by the client itself.
  const hop = headers.get('x-forwarded-for')?.split(',').at(-trustedProxies)?.trim() ?? ''
  return isIP(hop) ? hop : peer
}
