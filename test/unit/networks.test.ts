import { expect, test } from 'bun:test'
import { isWithin, parseNetwork } from '../../src/traffic/network.ts'

const isIn = (network: string, address: string): boolean => {
  const parsed = parseNetwork(network)
  if (!parsed) throw new Error(`${network} is no network`)
  return isWithin([parsed], address)
}

test.each([
  ['10.0.0.0/8', '10.255.3.4', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['192.0.2.128/25', '192.0.2.127', false],
  ['192.0.2.128/25', '192.0.2.200', true],
  ['192.0.2.7', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.8', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:db8:0:8000::/49', '2001:db8:0:ffff::', true],
  ['::/0', '2001:db8::1', true],
  ['::1', '::1', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::ffff:10.0.0.0/104', '10.9.9.9', true],
  ['10.0.0.0/8', '', false],
  ['10.0.0.0/8', 'unknown', false],
])('whether %s has %s: %p', (network, address, expected) => {
  expect(isIn(network, address)).toBe(expected)
})

test.each([
  '',
  'x',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '2001:db8::/129',
  'fe80::1%eth0/64',
  '1.2.3.4/8/8',
])('%p is no network', (text) => {
  expect(parseNetwork(text)).toBeNull()
})
