import { expect, test } from 'bun:test'
import { planInSteps } from '../../src/plan/make-plan.ts'
import { rowAsWritten } from '../../src/plan/row-as-written.ts'
import { payloadParserOf } from '../../src/request/parse-payload.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { bid } from '../../src/resources/bid.ts'
import { createByteBudget, type Hold } from '../../src/traffic/byte-budget.ts'

const megabyte = 1024 * 1024
const times = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(',')

const parse = (text: string, hold: Hold | null = null) => payloadParserOf('application/json')(Buffer.from(text), hold)

const nested = (rows: number) => `[${times(rows, () => `{"x":[${times(1000, () => '{}')}]}`)}]`
/** Rows whose names are in one order, or in another one in each. */
const flat = (rows: number, at: (row: number, name: number) => number) =>
  `[${times(rows, (row) => `{${times(50, (name) => `"n${at(row, name)}":0`)}}`)}]`

test('what rows become counts beside their text', async () => {
  const heldOf = async (text: string): Promise<number> => {
    const hold = createByteBudget(512 * megabyte).hold('acme')
    hold.hold(text.length)
    await parse(text, hold)
    return hold.bytes / text.length
  }
  expect(await heldOf(flat(1000, (_, name) => name))).toBe(1)
  expect(await heldOf(nested(1))).toBeGreaterThan(10)
  expect(await heldOf(nested(300))).toBeGreaterThan(10)
  expect(await heldOf(flat(1000, (row, name) => (row + name) % 50))).toBeGreaterThan(10)
})

test('rows that become too much beside those of others are refused as overload', async () => {
  const budget = createByteBudget(16 * megabyte)
  budget.hold('rival').hold(megabyte)
  const hold = budget.hold('acme')
  hold.hold(megabyte)
  expect((await parse(nested(20), hold)).rows).toHaveLength(20)
  await expect(parse(nested(300), hold)).rejects.toMatchObject({ status: 503 })
})

test('rows are unlike if one has other names than the first, in whatever order', async () => {
  const rows = 3000
  expect((await parse(flat(rows, (row, name) => (row + name) % 50))).areUnlike).toBe(false)
  expect((await parse(flat(rows, (row, name) => (row === rows - 1 ? name + 1 : name)))).areUnlike).toBe(true)
  expect((await parse('[{"a":1},{"a":1,"b":1}]')).areUnlike).toBe(true)
})

test('of a value as it was written, only its own row is looked at', () => {
  const text = ' [ {"a":1.0}, {"a":2.50,"b":{"a":3}},"'
  const payload = { text, single: false, rows: [{ a: 1 }, { a: 2.5, b: {} }], starts: [2, 13] }
  expect([0, 1].map((at) => rowAsWritten(payload, at, ['a']).a)).toEqual(['1.0', '2.50'])
})

test('long rows with values that are no texts are checked in steps, however few they are', async () => {
  const [rows, long] = [30, 'x'.repeat(150_000)]
  const payload = await parse(`[${times(rows, (at) => `{"bid_name":${at}.0,"x":"${long}"}`)}]`)
  const request = parseRequest('POST', 'columns=bid_name', new Headers())
  const steps = planInSteps({ request, payload, resource: bid, companyId: 'any', actor: null, rowsMax: null })
  expect(Array.from(steps ?? [])).toHaveLength(rows - 1)
})
