import { failure } from '../errors/index.ts'
import { addedLatency, type Latency, noLatency, percentile } from '../keys/latency.ts'
import { countByDay, countByHour, type Reports, readLatency, type Which } from '../keys/report.ts'
import type { Outcome } from '../keys/tally.ts'
import { sql } from '../store/sql.ts'
import { isUuid } from '../types/uuid.ts'
import { ok, queryOf, reportsOf, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/credentials.ts'

export const usageRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/usage', role: 'viewer', handle: show },
]

const hourMs = 3_600_000

/** How far a chart looks back, and what one bar of it stands for. */
const spans: Readonly<Record<documents.UsageSpan, { readonly step: documents.Usage['step']; readonly steps: number }>> =
  {
    '24h': { step: 'hour', steps: 24 },
    '7d': { step: 'day', steps: 7 },
    '30d': { step: 'day', steps: 30 },
    '90d': { step: 'day', steps: 90 },
  }

const isSpan = (text: string): text is documents.UsageSpan => Object.hasOwn(spans, text)

/** Requests by outcome, of all credentials or of one, oldest first and no step left out. */
async function show(context: SettingsContext) {
  const query = new URLSearchParams(queryOf(context.http))
  const span = query.get('span') ?? '30d'
  const credential = query.get('credential')
  if (!isSpan(span))
    throw failure.settingsBodyInvalid(
      '"span" is not one of the choices',
      `Send one of ${Object.keys(spans).join(', ')}.`,
    )
  if (credential !== null && !isUuid(credential))
    throw failure.settingsBodyInvalid('"credential" is no id', 'Send the id of a credential, or leave it out.')
  const { step, steps } = spans[span]
  const which = credential === null ? null : sql`${credential}`
  const reports = reportsOf(context)
  const counted = await (step === 'hour' ? countHours : countDays)(reports, which, steps)
  const from = new Date(counted[0]?.at ?? Date.now())
  const slow = await latencyBySteps(reports, which, { from, stepMs: step === 'hour' ? hourMs : 24 * hourMs })
  const bars = counted.map((bar, at) => ({ ...bar, ...percentilesOf(slow.get(at) ?? noLatency()) }))
  return ok<documents.Usage>({ span, step, bars })
}

interface Steps {
  readonly from: Date
  readonly stepMs: number
}

/** By the number of the step since `from`. */
async function latencyBySteps(
  reports: Reports,
  which: Which,
  { from, stepMs }: Steps,
): Promise<ReadonlyMap<number, Latency>> {
  const found = new Map<number, Latency>()
  for (const { hour, counts } of await readLatency(reports, which, from)) {
    const at = Math.floor((Date.parse(hour) - from.getTime()) / stepMs)
    found.set(at, addedLatency(counts, found.get(at) ?? noLatency()))
  }
  return found
}

const percentilesOf = (counts: Latency) => ({ p50_ms: percentile(counts, 0.5), p95_ms: percentile(counts, 0.95) })

/** The requests of a bar, before it is known how long they took. */
type Counted = { readonly at: string } & Readonly<Record<Outcome, number>>

async function countDays(reports: Reports, which: Which, days: number): Promise<Counted[]> {
  const found = await countByDay(reports, which, { days, now: new Date() })
  return found.map(({ day, ...counts }) => ({ at: `${day}T00:00:00Z`, ...counts }))
}

async function countHours(reports: Reports, which: Which, hours: number): Promise<Counted[]> {
  const last = Math.floor(Date.now() / hourMs)
  const first = last - hours + 1
  const bars = Array.from({ length: hours }, (_, at) => ({
    at: new Date((first + at) * hourMs).toISOString(),
    ...({ ok: 0, refused: 0, not_scoped: 0 } satisfies Record<Outcome, number>),
  }))
  for (const { hour, outcome, requests } of await countByHour(reports, which, new Date(first * hourMs))) {
    const bar = bars[Math.floor(Date.parse(hour) / hourMs) - first]
    if (bar) bar[outcome] += requests
  }
  return bars
}
