import type { Field, Selected } from '../plan/plan.ts'
import { rowSeparator } from '../store/database.ts'

type Json = Record<string, unknown>

/** The JSON of some rows → the same, with its moments as a clock in another zone shows them. */
export function inTimeZone(text: string, selection: readonly Selected[], zone: string): string {
  const rows: Json[] = JSON.parse(`[${text}]`)
  const clock = clockIn(zone)
  return rows.map((row) => JSON.stringify(convert(row, selection, clock))).join(rowSeparator)
}

export const isMoment = ({ column, cast, aggregate, aggregateCast }: Field): boolean =>
  column?.type === 'timestamp' &&
  [cast, aggregateCast].every((one) => one === null || one === 'timestamptz') &&
  aggregate !== 'count'

function convert(value: unknown, selection: readonly Selected[], clock: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => convert(one, selection, clock))
  if (typeof value === 'string') return clock(value)
  if (typeof value !== 'object' || value === null) return value
  const row: Json = { ...value }
  for (const selected of selection.flatMap(lifted)) {
    if (!(selected.key in row)) continue
    if (selected.kind === 'embed') row[selected.key] = convert(row[selected.key], selected.plan.selection, clock)
    else if (isMoment(selected)) row[selected.key] = convert(row[selected.key], [], clock)
  }
  return row
}

/** What a spread embed shows stands in the row around it. */
function lifted(selected: Selected): Selected[] {
  return selected.kind === 'embed' && selected.spread ? selected.plan.selection.flatMap(lifted) : [selected]
}

function clockIn(zone: string): (text: string) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  return (text) => {
    const moment = new Date(text)
    // Another field may have taken the name of this one.
    if (Number.isNaN(moment.getTime())) return text
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
    const offsetMs = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
    const local = new Date(moment.getTime() + offsetMs).toISOString().slice(0, 19)
    return `${local}${/\.\d+/.exec(text)?.[0] ?? ''}${sign}${hours}:${minutes}`
  }
}
