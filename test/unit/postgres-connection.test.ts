import { expect, test } from 'bun:test'
import { isServerVerified, postgresConnection } from '../../src/store/postgres/postgres-connection.ts'

const optionsOf = (url: string) => postgresConnection({ url, statementTimeoutMs: 1000 })

test.each([
  ['postgres://app@db.example.com/app', 'sslmode=prefer'],
  ['postgres://app@db.example.com/app?citus=true', 'sslmode=prefer'],
  ['postgres://app@db.example.com/app?sslmode=disable', 'sslmode=disable'],
  ['postgres://app@db.example.com/app?ssl=verify-full', 'ssl=verify-full'],
  ['postgres://app@db.example.com/app?sslrootcert=a.pem', 'sslrootcert=a.pem'],
  ['postgres://app@127.0.0.1/app', ''],
  ['postgres:///app?host=/run/postgresql', 'host=%2Frun%2Fpostgresql'],
  ['postgres:///app?host=db.example.com', 'host=db.example.com&sslmode=prefer'],
  ['postgres://app@localhost/app?pgbouncer=true&schema=a', ''],
])('%s asks the driver for "%s"', (url, expected) => {
  expect(new URL(optionsOf(url).url).search.slice(1)).toBe(expected)
})

test.each([
  ['?schema=app', { search_path: '"app"' }],
  ['?schema=a%20"b"', { search_path: '"a ""b"""' }],
])('a URL with %s sets the search_path', (search, expected) => {
  expect(optionsOf(`postgres://app@localhost/app${search}`).connection).toMatchObject(expected)
})

test.each([
  ['', false],
  ['?sslmode=require', false],
  ['?sslmode=verify-ca', true],
  ['?sslmode=verify-full', true],
  ['?sslmode=require&sslrootcert=a.pem', true],
])('the server of a URL with "%s" is verified: %s', (search, expected) => {
  expect(isServerVerified(`postgres://app@db.example.com/app${search}`)).toBe(expected)
})
