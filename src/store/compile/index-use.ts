import type { Comparison, Condition, Order, RowsPlan } from '../../plan/plan.ts'
import { countedMax } from '../../request/operand.ts'
import { type Column, type OwnField, typeOf } from '../../resources/define.ts'
import { asItIs } from '../../types/column-type.ts'
import {
  definedSql,
  identifier,
  join,
  keyword,
  listParameter,
  type Piece,
  parameter,
  sql,
  textLiteral,
} from '../sql.ts'
import { companyRows, ofRequest } from './company-rows.ts'

/** The index that finds the rows of a plan: of one field, by a condition or in the order of its values. */
export interface IndexUse {
  readonly column: Column
  readonly field: OwnField
  /** Those that the index decides. */
  readonly conditions: readonly Indexed[]
  /** The rows come in the order of the values. */
  readonly isOrdered: boolean
}

type Indexed = Comparison | Extract<Condition, { readonly kind: 'is' }>

type Asked = Pick<RowsPlan, 'resource' | 'where'> & { readonly order?: readonly Order[] }

/** null where no index helps, or the primary key names the rows. */
export function indexUse({ resource, where, order = [] }: Asked): IndexUse | null {
  if (!resource.own?.columns.some(isReady)) return null
  if (where.some((one) => one.kind === 'comparison' && one.column === resource.primaryKey && isEqual(one))) return null
  const conditions = where.filter(isIndexed)
  const [first] = order
  const ordered = first && first.via === null && isReady(first.column) ? first.column : null
  const column = conditions.find(isEqual)?.column ?? ordered ?? conditions[0]?.column
  if (!column?.field) return null
  const ofColumn = conditions.filter((one) => one.column === column)
  return { column, field: column.field, conditions: ofColumn, isOrdered: column === ordered }
}

/** The same for a list that goes on behind its last row: only for one value does an index have the rows in the order of their keys. */
export function indexUseByKey({ resource, where }: Asked): IndexUse | null {
  const use = indexUse({ resource, where })
  return use?.conditions.some(isEqual) ? use : null
}

const symbols: Readonly<Partial<Record<Comparison['operator'], string>>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

function isIndexed(condition: Condition): condition is Indexed {
  if (condition.kind === 'is') return isReady(condition.column) && condition.word === 'null' && !condition.negated
  if (condition.kind !== 'comparison' || condition.negated || condition.quantifier !== null) return false
  const { operator, operand, column } = condition
  if (!isReady(column)) return false
  return operator === 'in' ? operand.count > 0 && operand.count <= countedMax : symbols[operator] !== undefined
}

const isReady = ({ field }: Column): boolean => field?.index === 'complete'

const isEqual = (condition: Condition): boolean =>
  condition.kind === 'is' ||
  (condition.kind === 'comparison' && !condition.negated && ['eq', 'in'].includes(condition.operator))

/** What the index has of the rows: their keys as `row_id`, and their values. */
export const indexedRows = (use: IndexUse): Piece => sql`select row_id, value from ${entriesOf(use)}`

/** The keys alone. */
export const indexedKeys = (use: IndexUse): Piece => sql`select row_id from ${entriesOf(use)}`

function entriesOf({ field, column, conditions }: IndexUse): Piece {
  const narrowed = conditions.map((condition) => sql` and ${compileIndexed(condition, column)}`)
  return sql`${companyRows('field_value', ofRequest)} and field_id = ${textLiteral(field.id)}${join(narrowed, '')}`
}

function compileIndexed(condition: Indexed, column: Column): Piece {
  if (condition.kind === 'is') return keyword('value is null')
  const { operator, operand } = condition
  const { indexKey = asItIs } = typeOf(column)
  const { param, count } = operand
  if (operator !== 'in') return sql`value ${definedSql(symbols[operator] ?? '=')} ${parameter(param, indexKey)}`
  const each = Array.from({ length: count }, (_, at) => listParameter(param, (texts) => indexKey(texts[at] ?? '')))
  return sql`value in (${join(
    each.map((one) => sql`${one}`),
    ', ',
  )})`
}

/** What the index has, beside the rows themselves. */
export const found = { key: identifier('found', 'row_id'), value: identifier('found', 'value') } as const
