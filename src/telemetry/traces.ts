import { type Attributes, type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import { version } from '../../package.json'
import type { TracesSettings } from '../config/config.ts'
import { type Stage, stageNames } from '../exchange.ts'
import { type Ended, knownMethod } from './ended.ts'
import { createOtlpExporter } from './otlp-exporter.ts'
import { parseTraceparent } from './traceparent.ts'

export interface Traces {
  /** The id of the trace that the request belongs to. */
  record(ended: Ended): string
  /** Sends what is left, but waits for nobody who is away. */
  stop(): Promise<void>
}

/** What waits to be sent, at most: with a collector that is away, the rest is dropped and nothing else happens. */
const sendMsMax = 3000
const sending = {
  maxQueueSize: 8192,
  maxExportBatchSize: 1024,
  scheduledDelayMillis: 1000,
  exportTimeoutMillis: sendMsMax + 500,
}
const stopMsMax = sendMsMax

export function createTraces(settings: TracesSettings, report: (cause: string) => void): Traces {
  const exporter = createOtlpExporter(settings, sendMsMax, report)
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor(exporter, sending)],
  })
  // Not made known to all: what others in this process would trace by it, they would show as they like.
  const tracer = provider.getTracer('project-api', version)

  /** When a request has ended, everything about it is known, and nothing has to be carried along until then. */
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
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, stopMsMax)
    await Promise.race([provider.shutdown().catch(() => {}), late.promise])
    clearTimeout(timer)
  }
  return { record, stop }
}

/** The one that a failure ended has told nobody, and is the one that matters: it lasted until the end. */
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

/** By the semantic conventions for HTTP. The path and the query are left out: they hold ids and values of a company. */
function attributesOf({ exchange, status, code }: Ended, method: string): Attributes {
  return {
    'http.request.method': method,
    'http.response.status_code': status,
    ...(exchange.route === 'unknown' ? {} : { 'http.route': exchange.route }),
    ...(code === null ? {} : { 'error.type': code }),
    // As in the log, and in the answer that the client has.
    'project_api.request_id': exchange.id,
  }
}
