import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { TracesSettings } from '../config.ts'

/** What export() is told: that of OpenTelemetry's core, which is not worth a package of its own. */
const outcome = { success: { code: 0 }, failure: { code: 1 } } as const

/** Sends spans to a collector. OpenTelemetry's own exporter, on Bun, holds on to what it could not send to one that is away. */
export function createOtlpExporter({ endpoint, headers }: TracesSettings, timeoutMs: number): SpanExporter {
  const send = async (body: Uint8Array | undefined): Promise<boolean> => {
    const answer = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: new Uint8Array(body ?? []),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.arrayBuffer()
    return answer.ok
  }
  return {
    // What could not be sent is given up: to try again is to let it grow.
    export: (spans, done) => {
      send(JsonTraceSerializer.serializeRequest(spans)).then(
        (isSent) => done(isSent ? outcome.success : outcome.failure),
        () => done(outcome.failure),
      )
    },
    shutdown: async () => {},
  }
}
