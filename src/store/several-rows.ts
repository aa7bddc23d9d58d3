import { memoize } from '../caches/memoize.ts'
import { prepare, Sql } from './sql.ts'

/** The parts of `insert into … ("company_id", "id") values ($1, $2)`. */
interface OneRow {
  /** Up to where the row begins. */
  readonly before: string
  /** Before, between and behind the values. */
  readonly first: string
  readonly middle: readonly string[]
  readonly last: string
  /** The same for several rows, by their number. */
  readonly several: Map<number, Sql>
}

/** Statements with the same shape share their texts, so most are looked at only once. */
const rowOf = memoize((texts: readonly string[]): OneRow | null => {
  const [start = '', ...others] = texts
  const end = others.pop()
  const [before] = /^insert into "\w+" \([^()]*\)\s+values \(/.exec(start) ?? []
  if (before === undefined || end === undefined || !closesAtEnd(texts.join('?').slice(before.length))) return null
  const [first, last] = [start.slice(before.length), end.slice(0, -1)]
  return { before, first, middle: others, last, several: new Map() }
})

/** Whether the row ends with the text: nothing follows it, such as what to do about a conflict. */
function closesAtEnd(text: string): boolean {
  let open = 1
  for (const { 0: sign, index } of text.matchAll(/'[^']*'|"[^"]*"|[()]/g)) {
    if (sign === '(') open += 1
    if (sign === ')') open -= 1
    if (open === 0) return index === text.length - 1
  }
  return false
}

/** Whether a prepared statement inserts one row, and does nothing else. Others share their shape with none. */
export const insertsOneRow = ({ texts, text }: Sql): boolean => text !== null && rowOf(texts) !== null

/** Inserts of one row each, all of the same shape → one insert. */
export function insertSeveralRows(inserts: readonly Sql[], placeholder: (position: number) => string): Sql {
  const [{ texts } = new Sql([], [])] = inserts
  const row = rowOf(texts)
  if (row === null || inserts.some((insert) => insert.texts !== texts)) throw new Error('The inserts differ in shape')
  const shape = row.several.get(inserts.length) ?? shapeOf(row, inserts.length, placeholder)
  row.several.set(inserts.length, shape)
  const values = inserts.flatMap((insert) => insert.values)
  return new Sql(shape.texts, values, shape.text)
}

function shapeOf(
  { before, first, middle, last }: OneRow,
  count: number,
  placeholder: (position: number) => string,
): Sql {
  const texts = [before + first]
  for (let left = count; left > 1; left -= 1) texts.push(...middle, `${last}), (${first}`)
  texts.push(...middle, `${last})`)
  return prepare(new Sql(texts, []), placeholder) as Sql
}
