import type { Field, Order } from '../plan/plan.ts'
import { typeOf } from '../resources/define.ts'

export const lookUpWork = 15
const fieldWork = 2
/** In SQLite, most casts call a function of ours for every value. To read a time from a text takes longest. */
const castWork = 100

/** The work to make the value of a field of one row. */
export const fieldCost = (field: Field): number =>
  fieldWork + valueCastWork(field) + (field.aggregateCast === null ? 0 : castWork)

/** A time in UTC is cast by a plain expression. */
const valueCastWork = ({ column, cast, zone }: Pick<Field, 'column' | 'cast' | 'zone'>): number =>
  cast === null ? 0 : column && typeOf(column).isMoment && zone === null ? fieldWork : castWork

/** The work to find out what one row is ordered by: every visited row is sorted, also by what it finds in an embed. */
export const orderWork = (order: readonly Order[]): number =>
  order.reduce((work, term) => work + (term.via === null ? 0 : lookUpWork + valueCastWork(term)), 0)

/** The work to put so many rows in order, of which the first ones are kept. Each may have to be put before all that were kept. */
export const sortingWork = (rows: number, kept: number): number =>
  rows === 0 ? 0 : rows * Math.log2(1 + Math.min(rows, kept)) * placeWork

/** Names may differ in their last letters alone. */
const placeWork = 2.5
