import { type Attributes, type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { version } from '../../package.json'
import type { TracesSettings } from '../config/parse-settings.ts'
import { type Stage, stageNames } from '../exchange.ts'
import { atMost } from '../traffic/at-most.ts'
import { type Ended, knownMethod } from './ended.ts'
import { createOtlpExporter } from './otlp-exporter.ts'
import { parseTraceparent } from './traceparent.ts'

export interface Traces {
  /** The id of the trace that the request belongs to. */
  record(ended: Ended): string
  /** Sends the remaining spans, but does not wait long for an unreachable collector. */
  stop(): Promise<void>
}

const sendMsMax = 3000
/** While the collector is unreachable, spans beyond the queue size are dropped. */
const sending = {
  maxQueueSize: 8192,
  maxExportBatchSize: 1024,
  scheduledDelayMillis: 1000,
  exportTimeoutMillis: sendMsMax + 500,
}

export function createTraces(settings: TracesSettings, report: (cause: string) => void): Traces {
  const exporter = createOtlpExporter(settings, sendMsMax, report)
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.version': version, ...settings.resource }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor(exporter, sending)],
  })
  // Not registered globally: spans of libraries could contain ids and values of a company.
  const tracer = provider.getTracer('project-api', version)

  /** All spans are created when the request has ended, so that nothing has to be passed along meanwhile. */
  const record = (ended: Ended): string => {
    const { http, exchange, ms } = ended
    const method = knownMethod(http.method)
    const endedAt = Date.now()
    const startedAt = endedAt - ms
    const name = exchange.route === 'unknown' ? method : `${method} ${exchange.route}`
    const options = { kind: SpanKind.SERVER, startTime: startedAt, attributes: attributesOf(ended, method) }
    const above = parentOf(http.headers)
    const span = tracer.startSpan(name, options, above)
    if (span.isRecording()) {
      const within = trace.setSpan(above, span)
      let at = startedAt
      for (const stage of stagesOf(ended)) {
        const started = tracer.startSpan(stage.name, { startTime: at }, within)
        at = Math.min(at + stage.ms, endedAt)
        started.end(at)
      }
      if (ended.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(endedAt)
    return span.spanContext().traceId
  }

  const stop = async () => {
    await atMost(
      provider.shutdown().catch(() => {}),
      sendMsMax,
    )
  }
  return { record, stop }
}

/** Adds the stage that failed, which is not recorded in the exchange. It lasted until the end. */
function stagesOf({ exchange, code, ms }: Ended): readonly Stage[] {
  const done = exchange.stages()
  const failed = code !== null && exchange.route.startsWith('/rest/') ? stageNames[done.length] : undefined
  return failed === undefined ? done : [...done, { name: failed, ms }]
}

function parentOf(headers: Headers): Context {
  const parent = parseTraceparent(headers.get('traceparent'))
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = parent
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true })
}

/** By the semantic conventions for HTTP. Without path and query, which contain ids and values of a company. */
function attributesOf({ exchange, status, code }: Ended, method: string): Attributes {
  return {
    'http.request.method': method,
    'http.response.status_code': status,
    ...(exchange.route === 'unknown' ? {} : { 'http.route': exchange.route }),
    ...(code === null ? {} : { 'error.type': code }),
    // The same as in the log and in the response.
    'project_api.request_id': exchange.id,
  }
}
