import type { Selected } from '../plan/plan.ts'
import { isEmpty } from '../plan/selection.ts'
import { typeOf } from '../resources/define.ts'
import type { AggregatedType } from '../types/cast-types.ts'
import { typeOfField } from '../types/find-cast.ts'
import { parseRows } from './parse-rows.ts'

/** `id,project_name` */
export const csvHead = (selection: readonly Selected[], quote: Quote): string =>
  cellsOf(selection)
    .map(({ key }) => quote(key))
    .join(',')

/** The JSON of some rows → a line each, in PostgreSQL's spelling of values. */
export function csvRows(selection: readonly Selected[], text: string, quote: Quote): string {
  const cells = cellsOf(selection)
  return parseRows(text, selection)
    .map((row) => `\n${cells.map(({ key, toCsv }) => cell(row[key], toCsv, quote)).join(',')}`)
    .join('')
}

interface Cell {
  readonly key: string
  /** Where it has a form of its own in CSV. */
  readonly toCsv: AggregatedType['toCsv']
}

function cellsOf(selection: readonly Selected[]): Cell[] {
  return selection.flatMap((selected): Cell[] => {
    const { key } = selected
    if (selected.kind === 'field')
      return [{ key, toCsv: typeOfField(selected.column && typeOf(selected.column), selected).toCsv }]
    if (isEmpty(selected)) return []
    if (!selected.spread) return [{ key, toCsv: undefined }]
    const lifted = cellsOf(selected.plan.selection)
    return selected.relation.many ? lifted.map((one) => ({ ...one, toCsv: undefined })) : lifted
  })
}

function cell(value: unknown, toCsv: AggregatedType['toCsv'], quote: Quote): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && JSON.isRawJSON(value)) return JSON.stringify(value)
  return quote(toCsv?.(value) ?? (typeof value === 'string' ? value : JSON.stringify(value)))
}

type Quote = (text: string) => string

/** As PostgreSQL writes a row: in quotes if it is empty or holds a blank, a comma, a quote, a bracket or a backslash. */
export const quoteAsRecord: Quote = (text) =>
  /^$|[\s,"()\\]/.test(text) ? `"${text.replace(/["\\]/g, '$&$&')}"` : text

/** By RFC 4180, as spreadsheets read it. A null is an empty cell, so that an empty text has quotes. */
export const quoteAsSheet: Quote = (text) =>
  /^$|^\s|\s$|[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
