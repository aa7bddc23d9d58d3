import { isIP } from 'node:net'

/** Addresses with the same first bits: `10.0.0.0/8`, `2001:db8::/32`, or one address. */
export interface Network {
  readonly bytes: Uint8Array
  readonly bits: number
}

/** `10.0.0.0/8` → a network; null for what is none. A text without a length is one address. */
export function parseNetwork(text: string): Network | null {
  const [, address = '', length] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  const bytes = family === 0 || address.includes('%') ? null : bytesOf(address)
  if (!bytes) return null
  const bitsMax = family === 4 ? 32 : 128
  const bits = length === undefined ? bitsMax : Number(length)
  return bits > bitsMax ? null : { bytes, bits: bits + 128 - bitsMax }
}

/** Whether an address is in one of the networks. What is no address is in none. */
export function isWithin(networks: readonly Network[], address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  const bytes = isIP(plain) === 0 ? null : bytesOf(plain)
  return bytes !== null && networks.some((network) => hasStart(bytes, network))
}

function hasStart(bytes: Uint8Array, { bytes: start, bits }: Network): boolean {
  const whole = bits >> 3
  for (let at = 0; at < whole; at += 1) if (bytes[at] !== start[at]) return false
  const rest = bits & 7
  return rest === 0 || (bytes[whole] ?? 0) >> (8 - rest) === (start[whole] ?? 0) >> (8 - rest)
}

/** Sixteen bytes: an IPv4 address is `::ffff:192.0.2.7`, however it was written. */
function bytesOf(address: string): Uint8Array {
  const bytes = new Uint8Array(16)
  const [, before = '', dotted] = /^(.*?)(\d+\.\d+\.\d+\.\d+)?$/.exec(address) ?? []
  const tail = (dotted?.split('.') ?? []).map(Number)
  bytes.set(tail, 16 - tail.length)
  if (before === '') return new Uint8Array([...bytes.slice(0, 10), 0xff, 0xff, ...tail])
  const [left = '', right] = before.replace(/([^:]):$/, '$1').split('::')
  const groupsOf = (text: string): number[] =>
    text
      .split(':')
      .filter((group) => group !== '')
      .flatMap((group) => {
        const value = Number.parseInt(group, 16)
        return [value >> 8, value & 0xff]
      })
  bytes.set(groupsOf(left), 0)
  const behind = right === undefined ? [] : groupsOf(right)
  bytes.set(behind, 16 - tail.length - behind.length)
  return bytes
}
