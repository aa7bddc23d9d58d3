import { isIP } from 'node:net'
import { type AddressKind, addressKind } from './address-kind.ts'

/** Why nothing may be sent to a URL, for people to read. */
export class TargetRefused extends Error {}

/** Where webhooks may be sent. */
export interface TargetRules {
  /** Whether this machine may be reached, by http or https: for development and tests. */
  readonly loopback: boolean
}

/** The IP addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

const urlLengthMax = 2000

/** The URL of an endpoint, in its normal form. Refuses what its text alone rules out. */
export function parseTarget(text: string, rules: TargetRules): URL {
  const url = text.length <= urlLengthMax && URL.canParse(text) ? new URL(text) : null
  if (!url) throw new TargetRefused('It is no URL, or longer than 2000 characters')
  if (url.username !== '' || url.password !== '') throw new TargetRefused('It has a user name or a password')
  const host = hostOf(url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.loopback))
    throw new TargetRefused('It does not begin with https://')
  if (isIP(host)) requireAllowed(url, host, rules)
  else if (/(^|\.)localhost\.?$/.test(host)) requireAllowed(url, '127.0.0.1', rules)
  url.hash = ''
  return url
}

/** The addresses to connect to. One that is not allowed rules the others out, too: a name with both is no honest one. */
export async function findAddresses(url: URL, rules: TargetRules, resolve: Resolve): Promise<readonly string[]> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) throw new TargetRefused(`${host} has no address`)
  for (const address of addresses) requireAllowed(url, address, rules)
  return addresses
}

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

function requireAllowed({ protocol }: URL, address: string, { loopback }: TargetRules): void {
  const kind = addressKind(address)
  if (protocol === 'https:' && kind === 'public') return
  if (kind === 'loopback' && loopback) return
  throw new TargetRefused(kind === 'public' ? 'It does not begin with https://' : `${address} is ${meanings[kind]}`)
}

const meanings: Record<Exclude<AddressKind, 'public'>, string> = {
  loopback: 'this machine. WEBHOOK_LOOPBACK=on allows it, for development',
  reserved: 'a private or reserved address',
}
