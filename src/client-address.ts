import { isIP } from 'node:net'

/** Where a request comes from: the connection's other end, or what a trusted proxy in front of us says of its own. */
export function clientAddress(headers: Headers, peer: string, trustsProxy: boolean): string {
  if (!trustsProxy) return peer
  // Whatever stands before the last hop was written by the client itself.
  const hop = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
  return isIP(hop) ? hop : peer
}
