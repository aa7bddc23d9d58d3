import type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from '../../plan/plan.ts'
import { countOf } from '../../request/operand.ts'
import { columnsOf, type Resource } from '../../resources/define.ts'
import { companyRows, joinedCompanyRows, ofRequest } from '../compile/company-rows.ts'
import { rootFrame } from '../compile/compile.ts'
import { columnOf, type Frame, matching, narrowing } from '../compile/compile-condition.ts'
import { amongFound, compilePresent, type WriteForm } from '../compile/compile-write.ts'
import { compileOfOthers } from '../compile/compile-written.ts'
import { storedFields } from '../compile/own-fields.ts'
import { valuesOf } from '../compile/write-values.ts'
import type { Rows } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import { unmeasuredRows, writePart } from '../limits.ts'
import type { RowValues } from '../row-text.ts'
import { fill, join, keyword, type Piece, parameter, type Sql, sql } from '../sql.ts'

/** So many rows of a resource are read whole before it is known how large they are. */
export const wholeRows = ({ own }: Resource): number => (own ? unmeasuredRows : writePart.rows)

/** How to look at the rows that a write is about, by their key. */
export interface OldRows {
  /** The first of them, whole. */
  first(): Sql
  /** The key and the bytes of those that follow a key. */
  measured(after: string): Sql
  /** Some of them, whole. */
  ofKeys(keys: readonly string[]): Sql
}

export function oldRowsOf(plan: UpdatePlan | DeletePlan, dialect: Dialect, form: WriteForm): OldRows {
  const { resource, values } = plan
  const { primaryKey } = resource
  const frame = rootFrame(plan, dialect)
  const { rows, key } = foundRows(plan, frame, form)
  const next = dialect.valueOf(primaryKey, sql`${parameter(values.length)}`)
  const ending = (limit: number) => sql` order by ${key}${dialect.limit({ offset: 0, limit })}${dialect.forUpdate}`
  const whole = wholePiece(plan, dialect)
  return {
    first: () => fill(sql`select ${whole} from ${rows}${ending(wholeRows(resource))}`, values),
    measured: (after) =>
      fill(sql`select ${measuredPiece(plan, dialect)} from ${rows} and ${key} > ${next}${ending(writePart.rows)}`, [
        ...values,
        after,
      ]),
    ofKeys: (keys) => {
      const own = columnOf(frame, primaryKey)
      const operand = { param: 1, count: countOf(keys) }
      const among = { operator: 'in', quantifier: null, language: 'simple', operand } as const
      const isOne = dialect.compare({ ...among, column: primaryKey, value: own })
      const some = sql`${companyRows(resource.name, ofRequest)} and ${isOne}`
      return fill(sql`select ${whole} from ${some} order by ${own}`, [values[0], keys])
    },
  }
}

/** The rows that a write is about, for `from`, and the key that they are ordered by: of those that were chosen, the key there. */
function foundRows(plan: UpdatePlan | DeletePlan, frame: Frame, form: WriteForm): { rows: Piece; key: Piece } {
  const { resource } = plan
  const { chosen } = frame.dialect
  const key = columnOf(frame, resource.primaryKey)
  if (!form.isChosen || !chosen) return { rows: sql`${matching(plan, [], frame)}${amongFound(plan, frame, form)}`, key }
  const own = sql`${joinedCompanyRows(resource.name, ofRequest)} and ${key} = ${chosen.key}`
  return { rows: sql`${chosen.table} cross join ${own}${narrowing(plan, [], frame)}`, key: chosen.key }
}

/** Those rows of an insert that are there already. All writers lock rows in the same order, so that no two wait for each other. */
const compileLocked = (plan: InsertPlan, dialect: Dialect, shown: Piece): Sql => {
  const key = columnOf(rootFrame(plan, dialect), plan.resource.primaryKey)
  return fill(
    sql`select ${shown} from ${compilePresent(plan, dialect)} order by ${key}${dialect.forUpdate}`,
    valuesOf(plan),
  )
}

export const presentRows = (plan: InsertPlan, dialect: Dialect): Sql =>
  compileLocked(plan, dialect, wholePiece(plan, dialect))

/** The key and the bytes of each. */
export const measuredRows = (plan: InsertPlan, dialect: Dialect): Sql =>
  compileLocked(plan, dialect, measuredPiece(plan, dialect))

/** Those that another writer has created. */
export const rowsOfOthers = (plan: InsertPlan, dialect: Dialect): Sql =>
  fill(sql`select ${wholePiece(plan, dialect)} from ${compileOfOthers(plan, dialect)}`, valuesOf(plan))

const wholePiece = (plan: WritePlan, dialect: Dialect): Piece =>
  join(
    columnsOf(plan.resource).map((column) => dialect.textOf(column, columnOf(rootFrame(plan, dialect), column))),
    ', ',
  )

/** What is built-in is small. */
function measuredPiece(plan: WritePlan, dialect: Dialect): Piece {
  const frame = rootFrame(plan, dialect)
  const { primaryKey, own } = plan.resource
  const stored = own ? storedFields(frame).map((one) => sql`coalesce(octet_length(${dialect.keyText(one)}), 0)`) : []
  const bytes = stored.length === 0 ? keyword('0') : join(stored, ' + ')
  return sql`${dialect.textOf(primaryKey, columnOf(frame, primaryKey))}, ${bytes}`
}

export const keyOf = ({ resource }: WritePlan, row: RowValues): string =>
  row[columnsOf(resource).indexOf(resource.primaryKey)] ?? ''

export const valuesIn = (rows: Rows | undefined): readonly RowValues[] =>
  (rows ?? []).map((row) => row.map((value) => (value === null ? null : String(value))))
