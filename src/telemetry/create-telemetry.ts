import type { Config } from '../config/config.ts'
import type { Ended } from './ended.ts'
import type { Metrics, MetricsJson, MetricsParts } from './metrics.ts'

export type { MetricsJson }

/** Whoever wants to know of requests that have ended. */
export interface Telemetry {
  /** The id of the request's trace, if there is one. */
  record(ended: Ended): string | undefined
  /** null where nobody can ask for them. */
  readonly metrics: Metrics | null
  stop(): Promise<void>
}

/** null where nothing is to be measured: then not even the libraries for it are loaded. */
export async function createTelemetry(
  config: Pick<Config, 'adminPort' | 'traces'>,
  parts: MetricsParts & { report(cause: string): void },
): Promise<Telemetry | null> {
  if (config.adminPort === null && config.traces === null) return null
  const metrics = config.adminPort === null ? null : (await import('./metrics.ts')).createMetrics(parts)
  const traces = config.traces === null ? null : (await import('./traces.ts')).createTraces(config.traces, parts.report)
  return {
    record: (ended) => {
      metrics?.record(ended)
      return traces?.record(ended)
    },
    metrics,
    stop: async () => {
      metrics?.stop()
      await traces?.stop()
    },
  }
}

/** What several processes say of themselves, as one page. */
export async function mergeMetrics(all: readonly MetricsJson[]): Promise<string> {
  return (await import('./metrics.ts')).mergeMetrics(all)
}
