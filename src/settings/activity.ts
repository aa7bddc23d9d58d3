import { failure } from '../errors/index.ts'
import { countEvents, type EventPart, type LoggedEvent, listEvents } from '../people/audit-log.ts'
import type { CompanyStore } from '../store/database.ts'
import { companyOf, ok, queryOf, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/people.ts'
import { searchTextOf } from './search-text.ts'

export const activityRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/activity', role: 'viewer', handle: list },
  { method: 'GET', path: '/api/activity.csv', role: 'viewer', handle: download },
]

const limitMax = 200
const offsetMax = 1_000_000

async function list(context: SettingsContext) {
  const part = parseQuery(context.http)
  const log = logOf(context)
  const [events, total] = await Promise.all([listEvents(log, part), countEvents(log, part.filter)])
  return ok<documents.ActivityPage>({ events, total })
}

const logOf = (context: SettingsContext): CompanyStore => context.db.forCompany(companyOf(context).id)

function parseQuery(http: Request): EventPart {
  const query = new URLSearchParams(queryOf(http))
  const number = (name: string, usual: number, [least, most]: readonly [number, number]): number => {
    const value = Number(query.get(name) || usual)
    if (!Number.isInteger(value) || value < least || value > most)
      throw failure.settingsBodyInvalid(`"${name}" is not as it should be`, `Send a number from ${least} to ${most}.`)
    return value
  }
  const filter = {
    action: searchTextOf(query, 'action'),
    actor: searchTextOf(query, 'actor'),
    target: searchTextOf(query, 'target'),
    search: searchTextOf(query, 'q'),
    since: timeOf(query, 'since'),
    until: timeOf(query, 'until'),
  }
  const direction = query.get('order') === 'asc' ? 'asc' : 'desc'
  return { filter, direction, limit: number('limit', 50, [1, limitMax]), offset: number('offset', 0, [0, offsetMax]) }
}

function timeOf(query: URLSearchParams, name: string): Date | null {
  const text = query.get(name)
  if (!text) return null
  const time = new Date(text)
  const year = time.getUTCFullYear()
  if (Number.isNaN(year) || year < 0 || year > 9999)
    throw failure.settingsBodyInvalid(`"${name}" is no time`, 'Write it as 2027-01-31T12:00:00Z.')
  return time
}

const pageRows = 1000
const columns = ['created_at', 'actor', 'action', 'target', 'details', 'address', 'user_agent', 'request_id'] as const

async function download(context: SettingsContext) {
  const part = parseQuery(context.http)
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="activity.csv"',
      'Cache-Control': 'no-store',
    },
    body: csvOf(context, part),
  }
}

/** All of them, however long the page is. */
async function* csvOf(context: SettingsContext, part: EventPart): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  for (let last: { readonly after?: string } = {}; ; ) {
    const events = await listEvents(logOf(context), { ...part, ...last, limit: pageRows, offset: 0 })
    await context.confirm()
    yield events.map((event) => `${columns.map((name) => cell(event[name])).join(',')}\r\n`).join('')
    const id = events.at(-1)?.id
    if (events.length < pageRows || id === undefined) return
    last = { after: id }
  }
}

/** Spreadsheets treat a cell that begins with one of these as a formula. */
function cell(value: LoggedEvent[keyof LoggedEvent]): string {
  const text = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
