import type { Choice, Column } from '../api-types.ts'
import { allowedNext, mayLoseValue } from '../columns/allowed-values.ts'

/** A choice, or null for the rows without a value. */
export type LaneValue = Choice | null

export const laneName = ({ label }: Column, lane: LaneValue): string => lane?.label ?? `No ${label.toLowerCase()}`

/** The lanes that a row with this value may go to. */
export const lanesFrom = (column: Column, from: string | null): readonly LaneValue[] => [
  ...allowedNext(column, from),
  ...(from !== null && mayLoseValue(column) ? [null] : []),
]

export const mayGo = (column: Column, from: string | null, lane: LaneValue): boolean =>
  lanesFrom(column, from).includes(lane)
