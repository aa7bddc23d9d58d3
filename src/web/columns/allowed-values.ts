import type { Choice, Column } from '../api-types.ts'

/** What a row that has this value may have next, and what a new one may begin with (null). The server decides by the same rules. */
export function allowedNext({ choices, states }: Column, from: string | null): readonly Choice[] {
  const open = (choices ?? []).filter(({ closed, value }) => !closed && value !== from)
  const allowed = from === null ? states?.starts : states?.next && (states.next[from] ?? [])
  return allowed ? open.filter(({ value }) => allowed.includes(value)) : open
}

/** Whether a row may lose its value. */
export const mayLoseValue = ({ nullable, states }: Column): boolean => nullable && (states?.next ?? null) === null

/** Whether a row with one value may have another. */
export const mayBecome = (column: Column, from: string | null, to: string | null): boolean =>
  from === to || (to === null ? mayLoseValue(column) : allowedNext(column, from).some(({ value }) => value === to))

/** The value of a choice that a row has; null for none. */
export function choiceOf({ name }: Column, row: Readonly<Record<string, unknown>> | null): string | null {
  const value = row?.[name]
  return typeof value === 'string' ? value : null
}
