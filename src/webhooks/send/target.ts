import { isIP } from 'node:net'
import { type AddressKind, addressKind } from './address-kind.ts'

/** Why nothing may be sent to a URL, for people to read. */
export class TargetRefused extends Error {}

/** Where webhooks may be sent. */
export interface TargetRules {
  /** Whether this machine may be reached, by http or https: for development and tests. */
  readonly loopback: boolean
}

/** The IP addresses of a host name; none if it does not exist. */
type ResolveName = (hostname: string) => Promise<readonly string[]>

/** For a company that sends to it. */
export type Resolve = (hostname: string, companyId: string) => ReturnType<ResolveName>

const urlLengthMax = 2000

/** The URL of an endpoint, in its normal form. Refuses what its text alone rules out. */
export function parseTarget(text: string, rules: TargetRules): URL {
  const url = text.length <= urlLengthMax && URL.canParse(text) ? new URL(text) : null
  if (!url) throw new TargetRefused('It is no URL, or longer than 2000 characters')
  if (url.username !== '' || url.password !== '') throw new TargetRefused('It has a user name or a password')
  const host = hostOf(url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.loopback)) throw new TargetRefused(notByHttps)
  if (isIP(host)) requireAllowed(url, host, rules)
  else if (/(^|\.)localhost\.?$/.test(host)) requireAllowed(url, '127.0.0.1', rules)
  url.hash = ''
  return url
}

/**
 * The addresses to connect to. One that is not allowed rules the others out, too: a name with both is no honest one. The
 * refusal of a name is the same whether it has private addresses or none, so that nobody learns the names of a private network.
 */
export async function findAddresses(url: URL, rules: TargetRules, resolve: ResolveName): Promise<readonly string[]> {
  const host = hostOf(url)
  if (isIP(host)) {
    requireAllowed(url, host, rules)
    return [host]
  }
  const addresses = await resolve(host)
  const refusals = addresses.map((address) => refusalOf(url, address, rules))
  if (refusals.includes(notByHttps)) throw new TargetRefused(notByHttps)
  if (addresses.length === 0 || refusals.some((refusal) => refusal !== null))
    throw new TargetRefused(`${host} has no public address`)
  return addresses
}

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

function requireAllowed(url: URL, address: string, rules: TargetRules): void {
  const refusal = refusalOf(url, address, rules)
  if (refusal !== null) throw new TargetRefused(refusal)
}

/** null: it may be connected to. */
function refusalOf({ protocol }: URL, address: string, { loopback }: TargetRules): string | null {
  const kind = addressKind(address)
  if (kind === 'public') return protocol === 'https:' ? null : notByHttps
  return kind === 'loopback' && loopback ? null : `${address} is ${meanings[kind]}`
}

const notByHttps = 'It does not begin with https://'

const meanings: Record<Exclude<AddressKind, 'public'>, string> = {
  loopback: 'this machine. WEBHOOK_LOOPBACK=on allows it, for development',
  reserved: 'a private or reserved address',
}
