import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { TracesSettings } from '../config/config.ts'

/** What export() is told: that of OpenTelemetry's core, which is not worth a package of its own. */
const outcome = { success: { code: 0 }, failure: { code: 1 } } as const

/** Sends spans to a collector. OpenTelemetry's own exporter, on Bun, holds on to what it could not send to one that is away. */
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
  /** Once, and again only when it has worked in between. */
  const giveUp = (error: unknown): void => {
    if (!isAway) report(`Traces cannot be sent to ${new URL(endpoint).origin}, and are dropped: ${error}`)
    isAway = true
  }
  return {
    // What could not be sent is given up: to try again is to let it grow.
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
