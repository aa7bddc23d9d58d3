import { describe, expect, test } from 'bun:test'
import { createQuestion } from '../../src/cli/question.ts'
import { readConfig } from '../../src/config/config.ts'
import { parsePairs } from '../../src/config/parse-pairs.ts'
import { ConfigError } from '../../src/config/parse-settings.ts'
import { failure } from '../../src/errors/index.ts'
import { Exchange } from '../../src/exchange.ts'
import { parseTraceparent } from '../../src/telemetry/traceparent.ts'
import { createTurns } from '../../src/traffic/turns.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('traceparent', () => {
  test.each([
    [`00-${traceId}-${spanId}-01`, { traceId, spanId, isSampled: true }],
    [`00-${traceId}-${spanId}-00`, { traceId, spanId, isSampled: false }],
    [` 00-${traceId}-${spanId}-03 `, { traceId, spanId, isSampled: true }],
    // What a later version adds is not ours to refuse.
    [`01-${traceId}-${spanId}-01-more`, { traceId, spanId, isSampled: true }],
    [`00-${traceId}-${spanId}-01-more`, null],
    [`ff-${traceId}-${spanId}-01`, null],
    [`00-${'0'.repeat(32)}-${spanId}-01`, null],
    [`00-${traceId}-${'0'.repeat(16)}-01`, null],
    [`00-${traceId.toUpperCase()}-${spanId}-01`, null],
    [`00-${traceId}-${spanId}`, null],
    ['', null],
    [null, null],
  ])('%p', (header, parent) => {
    expect(parseTraceparent(header)).toEqual(parent)
  })
})

describe('OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES', () => {
  test.each([
    ['none', {}],
    ['a=1', { a: '1' }],
    ['a=1, Authorization=Basic%20eDp5==', { a: '1', Authorization: 'Basic eDp5==' }],
    ['a=', { a: '' }],
    ['a', null],
    ['=1', null],
    ['a=1,', null],
    ['a b=1', null],
    ['a=%', null],
    ['a=%ff', null],
  ])('%p', (text, pairs) => {
    expect(parsePairs(text)).toEqual(pairs)
  })
})

describe('settings', () => {
  const read = (env: Record<string, string>) => readConfig(env, false)

  test('measure nothing unless they are told to', () => {
    expect(read({})).toMatchObject({ adminPort: null, adminHost: '127.0.0.1', traces: null })
    expect(read({ ADMIN_PORT: '9464', ADMIN_HOST: '::1' })).toMatchObject({ adminPort: 9464, adminHost: '::1' })
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/in/' }).traces).toEqual({
      endpoint: 'https://otel.example.com/in',
      headers: {},
      resource: { 'service.name': 'project-api' },
    })
  })

  test.each([
    ['none', {}],
    ['service.name=orders,region=eu%20west', { region: 'eu west', 'service.name': 'orders' }],
  ])('describe the service by OTEL_RESOURCE_ATTRIBUTES=%s', (attributes, resource) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_RESOURCE_ATTRIBUTES: attributes }
    expect(read(env).traces?.resource).toEqual({ 'service.name': 'project-api', ...resource })
    const named = read({ ...env, OTEL_SERVICE_NAME: 'bills' }).traces?.resource
    expect(named).toEqual({ ...resource, 'service.name': 'bills' })
  })

  test('that cannot be used are named, and what may be a secret is not shown', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    expect(() => read({ ADMIN_PORT: 'off' })).toThrow(/^ADMIN_PORT must be a whole number/)
    expect(() => read({ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' })).toThrow(
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be/,
    )
    for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES']) {
      const wrong = () => read({ ...endpoint, [name]: 'key%zz=hush%' })
      expect(wrong).toThrow(ConfigError)
      expect(wrong).toThrow(new RegExp(`^${name} must be`))
      expect(wrong).not.toThrow(/hush/)
    }
  })
})

test('an exchange tells its stages and what each took', () => {
  const exchange = new Exchange()
  expect(exchange.stages()).toEqual([])
  exchange.mark()
  exchange.mark()
  expect(exchange.stages().map(({ name }) => name)).toEqual(['auth', 'parse'])
  for (const { ms } of exchange.stages()) expect(ms).toBeGreaterThanOrEqual(0)
})

test('turns tell what is under way, what waits and what was refused', async () => {
  const turns = createTurns({ atOnce: 1, atOnceAlone: 1, reserved: 0, waitingMax: 2 }, () => false)
  expect(turns.load()).toEqual({ underWay: 0, waiting: 0, refused: 0 })
  turns.acquire('a')
  const waits = turns.acquire('a')
  await expect(turns.acquire('a') as Promise<unknown>).rejects.toEqual(failure.overloaded())
  expect(turns.load()).toEqual({ underWay: 1, waiting: 1, refused: 1 })
  turns.release('a', 'shared')
  turns.release('a', await waits)
  expect(turns.load()).toEqual({ underWay: 0, waiting: 0, refused: 1 })
})

describe('a question to another process', () => {
  test('is sent once for all who ask meanwhile, and again for who asks later', async () => {
    const { ask, answer } = createQuestion<string>(60_000, 'nothing')
    let sent = 0
    const send = () => {
      sent += 1
    }
    const asked = [ask(send), ask(send)]
    answer('this')
    expect([await Promise.all(asked), sent]).toEqual([['this', 'this'], 1])
    const later = ask(send)
    answer('that')
    expect([await later, sent]).toEqual(['that', 2])
  })

  test('that nobody answers is given up', async () => {
    const { ask } = createQuestion<string>(1, 'nothing')
    expect(await ask(() => {})).toBe('nothing')
  })
})
