import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client'
import { authOutcomeOf } from './auth-outcome.ts'
import { type Ended, knownMethod } from './ended.ts'
import { measureProcess } from './process-metrics.ts'
import { measureStore, type Queues } from './queue-metrics.ts'
import { type DeliveryFigures, measureWebhooks } from './webhook-metrics.ts'

/** The metrics of one process, to be merged by another one. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface Metrics {
  record(ended: Ended): void
  text(): Promise<string>
  json(): Promise<MetricsJson>
  stop(): void
}

export interface MetricsParts extends Queues {
  readonly webhooks: DeliveryFigures
  /** The number of this process; null if it is the only one. */
  readonly worker: number | null
}

/** From half a millisecond to ten seconds. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics({ worker, webhooks, ...queues }: MetricsParts): Metrics {
  const registry = new Registry()
  // A replaced worker starts at zero. Prometheus detects the reset only in a separate series, not in a sum.
  if (worker !== null) registry.setDefaultLabels({ worker: String(worker) })
  const record = countRequests(registry)
  measureStore(registry, queues)
  measureWebhooks(registry, webhooks)
  const stop = measureProcess(registry, queues.db.dialect.name)
  return { record, text: () => registry.metrics(), json: () => registry.getMetricsAsJSON(), stop }
}

/** The metrics of several processes as one page. */
export const mergeMetrics = (all: readonly MetricsJson[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all]).metrics()

/** The metrics of one kind of request. */
interface Cell {
  readonly count: { inc(): void }
  readonly duration: { observe(seconds: number): void }
}

function countRequests(registry: Registry): Metrics['record'] {
  const registers = [registry]
  const requests = new Counter({
    name: 'project_api_requests_total',
    help: 'Finished requests.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'project_api_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['route', 'method'],
    buckets: seconds,
    registers,
  })
  const errors = new Counter({
    name: 'project_api_errors_total',
    help: 'Failed requests, by error code.',
    labelNames: ['code'],
    registers,
  })
  const auth = new Counter({
    name: 'project_api_auth_total',
    help: 'Results of authentication by API key and secret.',
    labelNames: ['outcome', 'reason'],
    registers,
  })
  const authOk = auth.labels('ok', 'none')
  // Looking up a metric by its labels is the expensive part, so it is done once for each kind of request.
  const cells = new Map<string, Cell>()
  const makeCell = (route: string, method: string, status: number): Cell => ({
    count: requests.labels(route, method, String(status)),
    duration: duration.labels(route, method),
  })

  return (ended) => {
    const { http, exchange, status, code, ms } = ended
    const method = knownMethod(http.method)
    const kind = `${status} ${method} ${exchange.route}`
    const cell = cells.get(kind) ?? makeCell(exchange.route, method, status)
    cells.set(kind, cell)
    cell.count.inc()
    cell.duration.observe(ms / 1000)
    if (code !== null) errors.inc({ code })
    const outcome = authOutcomeOf(ended)
    if (outcome?.outcome === 'ok') authOk.inc()
    else if (outcome) auth.inc({ ...outcome })
  }
}
