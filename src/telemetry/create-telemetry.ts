import type { Config } from '../config/config.ts'
import type { Ended } from './ended.ts'
import type { Metrics, MetricsJson, MetricsParts } from './metrics.ts'

export type { MetricsJson }

export interface Telemetry {
  /** Records a finished request. Returns its trace id, if traces are on. */
  record(ended: Ended): string | undefined
  /** null without an admin port. */
  readonly metrics: Metrics | null
  stop(): Promise<void>
}

/** null if neither metrics nor traces are on; then their libraries are not loaded. */
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

/** The metrics of several processes as one page. */
export async function mergeMetrics(all: readonly MetricsJson[]): Promise<string> {
  return (await import('./metrics.ts')).mergeMetrics(all)
}
