import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onEachEngine } from '../support/engines.ts'
import { comesWithin, endAll, type Service, startService, until } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number }
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

/** What OTLP calls a span that serves a request, and a status that says that it failed. */
const serverKind = 2
const failed = 2

/** Longer than it takes to send spans. Where a process of a busy machine stands still for three seconds, they are given up. */
const sendMsMax = 15_000
const roundsMax = 4

/** A collector that keeps what it is sent. */
function startCollector() {
  const spans: Span[] = []
  const sent: { readonly path: string; readonly token: string | null; readonly body: string }[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (http) => {
      const body = await http.text()
      sent.push({ path: new URL(http.url).pathname, token: http.headers.get('x-token'), body })
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      return Response.json({})
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, spans, sent, stop: () => server.stop(true) }
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

onEachEngine('traces', (world) => {
  const collector = startCollector()
  let service: Service
  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: world.databaseUrl,
      DEMO: 'off',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b',
      OTEL_SERVICE_NAME: 'bridge-works',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,region=eu%20west',
    })
  })
  afterAll(async () => {
    await service.stop()
    await collector.stop()
  })

  /** An answer whose spans have come: its own, and those within it. Where they do not come, it is asked for again. */
  async function spansOf(ask: () => Promise<Response>) {
    for (;;) {
      const answer = await ask()
      await answer.text()
      const id = answer.headers.get('X-Request-Id')
      const find = () => collector.spans.find((span) => attributesOf(span)['project_api.request_id'] === id)
      await comesWithin(sendMsMax, () => find() !== undefined)
      const span = find()
      if (span)
        return { answer, span, within: collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId) }
    }
  }
  const get = (path: string, headers: Record<string, string>) => fetch(service.base + path, { headers })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

  test('have one span for a request, with one for each stage in it', async () => {
    const { span, within } = await spansOf(() => get('/rest/v1/project?select=id', world.acme.headers))
    expect([span.name, span.kind, span.parentSpanId]).toEqual(['GET /rest/v1/:resource', serverKind, undefined])
    expect(attributesOf(span)).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/rest/v1/:resource',
      'http.response.status_code': 200,
    })
    expect(attributesOf(span)).not.toHaveProperty('error.type')
    expect(within.map(({ name }) => name)).toEqual(['auth', 'parse', 'plan', 'store', 'respond'])
    let at = BigInt(span.startTimeUnixNano)
    for (const stage of within) {
      expect(stage.traceId).toBe(span.traceId)
      expect(BigInt(stage.startTimeUnixNano)).toBe(at)
      at = BigInt(stage.endTimeUnixNano)
    }
    expect(at).toBeLessThanOrEqual(BigInt(span.endTimeUnixNano))
  })

  test('go on where the client began one, and are named in the log', async () => {
    const headers = { ...world.acme.headers, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const { answer, span } = await spansOf(() => get('/rest/v1/project', headers))
    expect([span.traceId, span.parentSpanId]).toEqual([traceId, '00f067aa0ba902b7'])
    const id = answer.headers.get('X-Request-Id') ?? 'none'
    await until(() => service.stdout.includes(id))
    const line = service.stdout.split('\n').find((one) => one.includes(id)) ?? '{}'
    expect(JSON.parse(line).trace_id).toBe(traceId)
  })

  test('begin anew where what the client sent is none', async () => {
    for (const traceparent of [
      '00-0-0-01',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff-${traceId}-00f067aa0ba902b7-01`,
    ]) {
      const { span } = await spansOf(() => get('/rest/v1/project', { ...world.acme.headers, traceparent }))
      expect(span.parentSpanId).toBeUndefined()
      expect(span.traceId).not.toBe(traceId)
    }
  })

  test('are left out where the client says so, and named in the log all the same', async () => {
    const unsampled = traceId.replace('4bf9', 'aaaa')
    const headers = { ...world.acme.headers, traceparent: `00-${unsampled}-00f067aa0ba902b7-00` }
    await (await get('/rest/v1/project', headers)).text()
    // What comes later and is there shows that nothing else is on its way.
    await spansOf(() => get('/rest/v1/project', world.acme.headers))
    expect(collector.spans.filter((span) => span.traceId === unsampled)).toEqual([])
    await until(() => service.stdout.includes(`"trace_id":"${unsampled}"`))
  })

  test('of a failure have its code, and the stage that it ended', async () => {
    const refused = await spansOf(() => get('/rest/v1/project?select=nonsense', world.acme.headers))
    expect(attributesOf(refused.span)).toMatchObject({ 'http.response.status_code': 400, 'error.type': '42703' })
    expect(refused.within.map(({ name }) => name)).toEqual(['auth', 'parse', 'plan'])
    expect(refused.span.status.code).not.toBe(failed)
    const unknown = await spansOf(() => get('/rest/v1/project', { apikey: 'nobody' }))
    expect(attributesOf(unknown.span)['error.type']).toBe('invalid_api_key')
    expect(unknown.within.map(({ name }) => name)).toEqual(['auth'])
    const lost = await spansOf(() => get(`/nothing/${world.acme.id}`, {}))
    expect(lost.span.name).toBe('GET')
    expect(attributesOf(lost.span)).not.toHaveProperty('http.route')
  })

  test('show nothing of a company, and carry the headers that the collector wants', async () => {
    const { apiKey, apiSecret, id, bid, credentialId, headers } = world.acme
    await spansOf(() => get(`/rest/v1/project?bid_id=eq.${bid}&project_name=eq.Confidential`, headers))
    const text = collector.sent.map(({ body }) => body).join('\n')
    for (const told of [apiKey, apiSecret, id, bid, credentialId, 'Confidential']) expect(text).not.toContain(told)
    expect(new Set(collector.sent.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
    expect(new Set(collector.sent.map(({ token }) => token))).toEqual(new Set(['a b']))
    expect(text).toContain('{"key":"service.name","value":{"stringValue":"bridge-works"}}')
    expect(text).toContain('{"key":"region","value":{"stringValue":"eu west"}}')
  })
})

onEachEngine('a collector', (world) => {
  const start = (endpoint: string) =>
    startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })

  /** So many that what waits to be sent would grow without end, if it could. */
  async function askOften(service: Service): Promise<Set<number>> {
    const statuses = new Set<number>()
    for (let round = 0; round < 40; round += 1) {
      const asked = Array.from({ length: 50 }, () =>
        fetch(`${service.base}/rest/v1/project?select=id`, { headers: world.acme.headers }),
      )
      for (const answer of await Promise.all(asked)) {
        statuses.add(answer.status)
        await answer.text()
      }
    }
    return statuses
  }

  test('that is away fails no request, and does not keep the service from stopping', async () => {
    const closed = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    closed.stop(true)
    const service = await start(`http://127.0.0.1:${closed.port}`)
    expect(await askOften(service)).toEqual(new Set([200]))
    expect(await service.stop()).toBe(0)
    expect(service.stderr).toBe('')
    const said = service.stdout.split('\n').filter((line) => line.includes('"event":"traces"'))
    expect(said).toEqual([expect.stringContaining(`Traces cannot be sent to http://127.0.0.1:${closed.port}`)])
  })

  test('that never answers does neither', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const service = await start(`http://127.0.0.1:${silent.port}`)
    expect(await askOften(service)).toEqual(new Set([200]))
    expect(await service.stop()).toBe(0)
    silent.stop(true)
  })

  test('is sent what is left when the service stops', async () => {
    const collector = startCollector()
    let hasCome = false
    for (let rounds = 0; !hasCome && rounds < roundsMax; rounds += 1) {
      const service = await start(collector.url)
      const answer = await fetch(`${service.base}/rest/v1/project`, { headers: world.acme.headers })
      await answer.text()
      expect(await service.stop()).toBe(0)
      const id = answer.headers.get('X-Request-Id')
      // The end of a process may be seen before what it sent last.
      hasCome = await comesWithin(sendMsMax, () =>
        collector.spans.some((span) => attributesOf(span)['project_api.request_id'] === id),
      )
    }
    expect(hasCome).toBe(true)
    await collector.stop()
  })
})

// The modules of an executable have no names of their own.
describe.skipIf(process.env.EXECUTABLE !== undefined)('the libraries for it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-loaded-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Which of them a service has loaded that has started, served and stopped. */
  async function loadedBy(env: Record<string, string>): Promise<string[]> {
    const path = join(folder, 'loaded.json')
    const service = await startService({
      DATABASE_URL: join(folder, 'test.db'),
      BUN_OPTIONS: `--preload=${join(import.meta.dir, '../support/loaded-modules.ts')}`,
      LOADED_MODULES: path,
      ...env,
    })
    await (await fetch(`${service.base}/rest/v1/project`)).text()
    expect(await service.stop()).toBe(0)
    const names = [
      'prom-client',
      '@opentelemetry/api',
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/otlp-transformer',
      // For /mcp alone.
      '@modelcontextprotocol/server',
    ]
    const loaded: string[] = await Bun.file(path).json()
    return names.filter((name) => loaded.some((file) => file.includes(`/node_modules/${name}/`)))
  }

  test('are loaded only by who uses them', async () => {
    expect(await loadedBy({})).toEqual([])
    // It knows how to link metrics to traces, and brings the interface for it.
    expect(await loadedBy({ ADMIN_PORT: '0' })).toEqual(['prom-client', '@opentelemetry/api'])
    const endpoint = 'http://127.0.0.1:9'
    expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual([
      '@opentelemetry/api',
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/otlp-transformer',
    ])
  })
})
