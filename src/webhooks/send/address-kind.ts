import { BlockList, isIP } from 'node:net'

/** Where an IP address leads: to anyone's server on the internet, to this machine, or to what must not be reached. */
export type AddressKind = 'public' | 'loopback' | 'reserved'

export function addressKind(address: string): AddressKind {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return 'reserved'
  if (family === 4) return loopback4.check(address, 'ipv4') ? 'loopback' : kindOf(!reserved4.check(address, 'ipv4'))
  if (loopback6.check(address, 'ipv6')) return 'loopback'
  return kindOf(global6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6') && !isIsatap(address))
}

const kindOf = (isPublic: boolean): AddressKind => (isPublic ? 'public' : 'reserved')

function listOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [start = '', bits = ''] = network.split('/')
    list.addSubnet(start, Number(bits), family)
  }
  return list
}

const loopback4 = listOf('ipv4', ['127.0.0.0/8'])
const loopback6 = listOf('ipv6', ['::1/128'])

/** The special-purpose registry of IANA, and one host address of a cloud that looks public. */
const reserved4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Virtual machines on Azure reach their host by it.
  '168.63.129.16/32',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** All else has another purpose: mapped and NAT64 addresses, local ones, multicast. */
const global6 = listOf('ipv6', ['2000::/3'])

/** Within `2000::/3`. */
const reserved6 = listOf('ipv6', [
  // Teredo, ORCHID, benchmarks and other protocols.
  '2001::/23',
  // Documentation.
  '2001:db8::/32',
  '3fff::/20',
  // 6to4, which leads to an IPv4 address.
  '2002::/16',
  // AS112, which answers for private addresses.
  '2620:4f:8000::/48',
])

/** ISATAP: the last 64 bits are `0:5efe:` or `200:5efe:` and an IPv4 address. */
const isIsatap = (address: string): boolean =>
  /^\[[0-9a-f:]*:(?:0|200)?:?5efe:[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/.test(new URL(`http://[${address}]`).hostname)
