import type { ComparingOperator } from '../../plan/plan.ts'
import { countedMax } from '../../request/operand.ts'
import { type Column, typeOf } from '../../resources/define.ts'
import type { SearchLanguage } from '../../resources/text/languages.ts'
import { asItIs } from '../../types/column-type.ts'
import { likeOf, regexOf } from '../compile/patterns.ts'
import type { Comparison } from '../dialect.ts'
import {
  around,
  definedSql,
  join,
  keyword,
  listParameter,
  type Parameter,
  type Piece,
  parameter,
  sql,
  textLiteral,
} from '../sql.ts'

const operandOf = (column: Column, text: Parameter): Piece => around(typeOf(column).postgres.fromOperand, sql`${text}`)

/** Whether a column compares so with a value, or with any or all of several. */
export function compare(comparison: Comparison): Piece {
  const { column, value, operator, quantifier, language, operand } = comparison
  if (operator === 'in') return isOneOf(comparison)
  const spell = spellingOf(operator)
  const compareTo = comparisons[operator]
  if (quantifier === null) return compareTo(value, operandOf(column, parameter(operand.param, spell)), language)
  const list = listParameter(operand.param, (texts) => arrayText(texts.map(spell)))
  const all = sql`${quantifier === 'any' ? keyword('any') : keyword('all')}(${readOnce(list, column)})`
  return compareTo(value, all, language)
}

function spellingOf(operator: ComparingOperator): (text: string) => string {
  if (operator === 'like' || operator === 'ilike') return (text) => likeOf(operator, text)
  return operator === 'match' || operator === 'imatch' ? regexOf : asItIs
}

/** For `= any(list)`, a generic plan expects many rows, and scans in the page's order instead of using the index. */
function isOneOf({ column, value, operand: { param, count } }: Comparison): Piece {
  if (count === 0 || count > countedMax)
    return sql`${value} = any(${readOnce(listParameter(param, arrayText), column)})`
  const each = Array.from({ length: count }, (_, at) => listParameter(param, (texts) => texts[at] ?? null))
  return sql`(${join(
    each.map((one) => sql`${value} = ${operandOf(column, one)}`),
    ' or ',
  )})`
}

/** In a subselect, so that the text of the list is parsed once, and not again for each row. */
function readOnce(list: Parameter, column: Column): Piece {
  const type = definedSql(`${typeOf(column).postgres.listOf}[]`)
  return sql`(select ${list}::text::${type})::${type}`
}

type Compare = (value: Piece, operand: Piece, language: SearchLanguage) => Piece

const infix =
  (symbol: string): Compare =>
  (value, operand) =>
    sql`${value}${definedSql(` ${symbol} `)}${operand}`

/**
 * The server that finds the stems of a text finds those of the query, too: another version of it may have other ones.
 * In a subselect, so that it does so once, and not again for each row.
 */
const searched: Compare = (value, operand, language) => {
  const query =
    language === 'simple' ? sql`${operand}::tsquery` : sql`(select to_tsquery(${textLiteral(language)}, ${operand}))`
  return sql`to_tsvector(${textLiteral(language)}, ${wordsOf(value)}) @@ ${query}`
}

/** A value with one operand, or with any or all of a list. `compare` itself handles the other operators. */
const comparisons: Record<Exclude<ComparingOperator, 'in'>, Compare> = {
  eq: infix('='),
  neq: infix('<>'),
  gt: infix('>'),
  gte: infix('>='),
  lt: infix('<'),
  lte: infix('<='),
  isdistinct: infix('is distinct from'),
  like: infix('~~'),
  // The columns' own collation "C" folds ASCII letters only.
  ilike: (value, operand) => sql`lower(${value} collate "und-x-icu") ~~ ${operand}`,
  // An option within the pattern may say that case is to be ignored.
  match: (value, operand) => sql`(${value} collate "und-x-icu") ~ ${operand}`,
  imatch: (value, operand) => sql`(${value} collate "und-x-icu") ~* ${operand}`,
  fts: searched,
  plfts: searched,
  phfts: searched,
  wfts: searched,
  cs: infix('@>'),
  cd: infix('<@'),
  ov: infix('&&'),
}

/** The words of a text, separated by everything that is neither letter nor digit. */
const wordsOf = (value: Piece): Piece =>
  sql`regexp_replace(lower(${value} collate "und-x-icu"), '[^[:alnum:]]+', ' ', 'g')`

/** `{"a","b\"c",null}` */
export const arrayText = (values: readonly (string | null)[]): string =>
  `{${values.map((value) => (value === null ? 'null' : elementText(value))).join(',')}}`

/** JSON escapes the same two characters by the same sign, and in a tenth of the time, but others, too. */
const elementText = (value: string): string =>
  /\p{Cc}/u.test(value) || !value.isWellFormed() ? `"${value.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(value)
