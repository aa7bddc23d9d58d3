import type { Selected } from '../plan/plan.ts'
import { isMoment } from './in-time-zone.ts'

/** `id,project_name` */
export const csvHead = (selection: readonly Selected[]): string => keysOf(selection).map(quote).join(',')

/** The JSON of some rows → a line each, in PostgreSQL's spelling of values. */
export function csvRows(selection: readonly Selected[], text: string): string {
  const rows: Record<string, unknown>[] = JSON.parse(`[${text}]`)
  const keys = keysOf(selection)
  const moments = new Set(selection.flatMap((field) => (field.kind === 'field' && isMoment(field) ? [field.key] : [])))
  return rows.map((row) => `\n${keys.map((key) => cell(row[key], moments.has(key))).join(',')}`).join('')
}

function keysOf(selection: readonly Selected[]): string[] {
  return selection.flatMap((selected) => {
    if (selected.kind === 'field') return [selected.key]
    if (selected.plan.selection.length === 0) return []
    return selected.spread ? keysOf(selected.plan.selection) : [selected.key]
  })
}

function cell(value: unknown, isMoment: boolean): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return quote(isMoment ? text.replace('T', ' ').replace(/:00$/, '') : text)
}

/** As PostgreSQL writes a row: in quotes if it is empty or holds a blank, a comma, a quote, a bracket or a backslash. */
const quote = (text: string): string => (/^$|[\s,"()\\]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text)
