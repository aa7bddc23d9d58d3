import { failure } from '../errors/index.ts'
import { isUuid } from '../keys/credentials.ts'
import type { Reports } from '../keys/report.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import type { Row } from '../store/database.ts'
import { empty, integer, type Sql, sql } from '../store/sql.ts'
import { ok, queryOf, reportsOf, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents.ts'

export const activityRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/activity', role: 'viewer', handle: list },
  { method: 'GET', path: '/api/activity.csv', role: 'viewer', handle: download },
]

interface Filter {
  readonly action: string | null
  readonly actor: string | null
  /** The id of the last event of the previous page. */
  readonly before: string | null
}

type Event = documents.AuditEvent

const limitMax = 200

async function list(context: SettingsContext) {
  const { filter, limit } = parseQuery(context.http)
  // One more than is shown, to know whether there are more.
  const found = await listEvents(reportsOf(context), filter, limit + 1)
  const events = found.slice(0, limit)
  return ok<documents.ActivityPage>({ events, next: found.length > limit ? (events.at(-1)?.id ?? null) : null })
}

function parseQuery(http: Request): { readonly filter: Filter; readonly limit: number } {
  const query = new URLSearchParams(queryOf(http))
  const limit = Number(query.get('limit') || 50)
  const before = query.get('before') || null
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw failure.settingsBodyInvalid('"limit" is not as it should be', `Send a number from 1 to ${limitMax}.`)
  if (before !== null && !isUuid(before))
    throw failure.settingsBodyInvalid('"before" is no id', 'Send the "next" of the page before.')
  return { filter: { action: textOf(query, 'action'), actor: textOf(query, 'actor'), before }, limit }
}

/** The engines refuse U+0000 in text, and no event contains it. */
const textOf = (query: URLSearchParams, name: string): string | null => query.get(name)?.replaceAll('\0', '') || null

/** The company's audit log, newest first. */
async function listEvents(db: Reports, filter: Filter, limit: number): Promise<Event[]> {
  const rows = await db.read(sql`
    select id, created_at, actor, action, target, details, address, user_agent, request_id
    from ${companyRows('audit_event', db)}${conditions(filter)}
    order by id desc limit ${integer(limit)}`)
  return rows.map(eventOf)
}

function conditions({ action, actor, before }: Filter): Sql {
  const like = actor && `%${actor.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const byAction = action === null ? empty : sql` and action = ${action}`
  const byActor = like === null ? empty : sql` and lower(actor) like ${like} escape '\\'`
  return sql`${byAction}${byActor}${before === null ? empty : sql` and id < ${before}`}`
}

function eventOf([id, created_at, actor, action, target, details, address, user_agent, request_id]: Row): Event {
  const parsed: Event['details'] = JSON.parse(String(details))
  return { id, created_at, actor, action, target, details: parsed, address, user_agent, request_id } as Event
}

const pageRows = 1000
const columns = ['created_at', 'actor', 'action', 'target', 'details', 'address', 'user_agent', 'request_id'] as const

async function download(context: SettingsContext) {
  const { filter } = parseQuery(context.http)
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="activity.csv"',
      'Cache-Control': 'no-store',
    },
    body: csvOf(context, filter),
  }
}

async function* csvOf(context: SettingsContext, filter: Filter): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  for (let before = filter.before; ; ) {
    await context.confirm()
    const events = await listEvents(reportsOf(context), { ...filter, before }, pageRows)
    yield events.map((event) => `${columns.map((name) => cell(event[name])).join(',')}\r\n`).join('')
    if (events.length < pageRows) return
    before = events.at(-1)?.id ?? null
  }
}

/** Spreadsheets treat a cell that begins with one of these as a formula. */
function cell(value: Event[keyof Event]): string {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
