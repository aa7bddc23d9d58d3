import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { TracesSettings } from '../config/parse-settings.ts'

/** `ExportResult` of @opentelemetry/core, copied to save the dependency. */
const outcome = { success: { code: 0 }, failure: { code: 1 } } as const

/** Sends spans to a collector. OpenTelemetry's own exporter leaks memory on Bun while the collector is unreachable. */
export function createOtlpExporter(
  { endpoint, headers }: TracesSettings,
  timeoutMs: number,
  report: (cause: string) => void,
): SpanExporter {
  let isAway = false
  const send = async (body: Uint8Array | undefined): Promise<void> => {
    const answer = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: new Uint8Array(body ?? []),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`It answers ${answer.status}`)
  }
  /** Reports the first failure only, until sending has worked again. */
  const giveUp = (error: unknown): void => {
    if (!isAway) report(`Traces cannot be sent to ${new URL(endpoint).origin}, and are dropped: ${error}`)
    isAway = true
  }
  return {
    // No retries: the queue would grow.
    export: (spans, done) => {
      send(JsonTraceSerializer.serializeRequest(spans)).then(
        () => {
          isAway = false
          done(outcome.success)
        },
        (error: unknown) => {
          giveUp(error)
          done(outcome.failure)
        },
      )
    },
    shutdown: async () => {},
  }
}
