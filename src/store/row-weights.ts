import type { Condition, Field, Order, RowsPlan } from '../plan/plan.ts'
import type { Column, Resource } from '../resources/define.ts'
import { indexUse } from './compile/index-use.ts'
import { bytesOfLongest, bytesOfRows, type OwnBytes } from './own-bytes.ts'
import type { Reach } from './reach.ts'

/** What a company has of a resource. */
export interface Size {
  readonly rows: number
  readonly own: OwnBytes
}
export type SizeOf = (resource: Resource) => Size

/** Work that grows with what the own fields of rows take. In the unit of `Cost.work`. */
export interface Weight {
  readonly resource: Resource
  /** For each row, however short. */
  readonly row: number
  /** For each byte of a row that is beyond the first ones. */
  readonly byte: number
  readonly beyond: number
  /** The same row may be met again and again, such as the longest one. */
  readonly isRepeated: boolean
}

/** All of it for so many rows. */
export const weightOf = (weights: readonly Weight[], rows: number, sizeOf: SizeOf): number =>
  rows === 0 ? 0 : weights.reduce((work, weight) => work + weightOfOne(weight, rows, sizeOf), 0)

function weightOfOne({ resource, row, byte, beyond, isRepeated }: Weight, rows: number, sizeOf: SizeOf): number {
  const bytes = (isRepeated ? bytesOfLongest : bytesOfRows)(sizeOf(resource).own, rows, beyond)
  // Infinity × 0 is NaN.
  return (row === 0 ? 0 : rows * row) + bytes * byte
}

/** The same where rows of another resource lead to these, several times over. */
export const repeated = (weights: readonly Weight[], times = 1): readonly Weight[] =>
  weights.map((weight) => ({ ...weight, row: weight.row * times, byte: weight.byte * times, isRepeated: true }))

/** Only as a company with fields knows it. Its rows may have values of fields that are no longer shown. */
export const hasOwnFields = ({ takesFields, siblings }: Resource): boolean =>
  takesFields === true && siblings !== undefined

const weighing = (resource: Resource, row: number, byte: number, beyond = 0): readonly Weight[] =>
  hasOwnFields(resource) ? [{ resource, row, byte, beyond, isRepeated: false }] : []

/** The keys of our tables in SQLite stand before the values, so that it reads all of a row to compare its key. */
const scanByteWork = 0.004
/** By a key, it compares about a dozen of them on the way. */
const seekByteWork = 0.05

export const seekWeights = (resource: Resource): readonly Weight[] => weighing(resource, 0, seekByteWork)

export function visitWeights(plan: RowsPlan, reach: Reach): readonly Weight[] {
  const isSought = typeof reach === 'number' || indexUse(plan) !== null || plan.where.some(isOfReference)
  return isSought ? seekWeights(plan.resource) : weighing(plan.resource, 0, scanByteWork)
}

const isOfReference = (condition: Condition): boolean =>
  condition.kind === 'comparison' && condition.column.references !== undefined

/** Values that are shown are carried along as rows are sorted. */
const copyByteWork = 0.03

export const sortWeights = ({ resource, order }: RowsPlan): readonly Weight[] => [
  ...(order.some(isSorted(resource)) ? weighing(resource, 0, copyByteWork) : []),
  ...order.flatMap(({ column, via }) =>
    via ? repeated(termWeights(via.plan.resource, column)) : lookUpWeights(resource, column),
  ),
]

/** Rows come in the order of their keys by themselves. */
export const isSorted =
  ({ primaryKey }: Resource) =>
  ({ column, via }: Order): boolean =>
    column !== primaryKey || via !== null

const termWeights = (resource: Resource, column: Column): readonly Weight[] => [
  ...seekWeights(resource),
  ...lookUpWeights(resource, column),
]

/** The values of all own fields that a row shows are no longer than the row. */
export const showWeights = ({ resource, selection }: RowsPlan): readonly Weight[] =>
  selection.some((selected) => selected.kind === 'field' && selected.column?.field)
    ? weighing(resource, 0, copyByteWork)
    : []

/** An own field has to be found in JSON. */
const lookUpWork = 10
const lookUpByteWork = 0.008
/** For each further field of the same row, whose JSON SQLite has kept. */
const nextLookUpByteWork = 0.004

export const lookUpWeights = (resource: Resource, column: Column | null): readonly Weight[] =>
  column?.field ? weighing(resource, lookUpWork, lookUpByteWork) : []

/** Comparisons of texts are estimated for names of so many characters. */
const nameLength = 255

export const textWeights = (resource: Resource, column: Column, work: number): readonly Weight[] =>
  isLongText(column) ? weighing(resource, 0, work / nameLength, nameLength) : []

/** To make a number of digits takes longest. */
const castByteWork = 2

export const castWeights = (resource: Resource, { column, cast, aggregateCast }: Field): readonly Weight[] =>
  column && isLongText(column) && (cast ?? aggregateCast) !== null ? weighing(resource, 0, castByteWork) : []

/** Other own fields have short values, whatever the rest of their row is like. */
const isLongText = ({ field, maxLength }: Column): boolean => field !== undefined && maxLength !== undefined

/** A change looks up each field of a row to write it again, and once more for its event; an archived one in two places. */
export const changeWeights = (resource: Resource): readonly Weight[] => {
  const { columns = [], archived = [] } = resource.own ?? {}
  const lookUps = 2 * columns.length + 2 * archived.length
  return weighing(resource, lookUps * lookUpWork, copyByteWork + lookUps * nextLookUpByteWork)
}

/** So many fields of each row. */
export const lookUpsWork = ({ rows, own }: Size, fields: number): number =>
  fields * (rows * lookUpWork + bytesOfRows(own, rows) * lookUpByteWork) + bytesOfRows(own, rows) * scanByteWork
