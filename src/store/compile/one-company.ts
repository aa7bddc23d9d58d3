import { memoize } from '../../caches/memoize.ts'
import { resources } from '../../resources/index.ts'
import { type CompanyTable, companyTables } from '../cluster/layout.ts'
import { type CompanySizes, createCompanySizes, sizeMax } from '../company-sizes.ts'
import type { CompanyStatements, CompanyStore, Rows, Steps, Store } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import { after, type Soon } from '../soon.ts'
import { type Sql, withConstants } from '../sql.ts'

/** Statements that take turns on behalf of `who`. `changed` is called before and after each write. */
export type StatementsOf = (who: string, changed: () => void) => CompanyStatements

/** A statement that could reach rows of another company: a bug, caught before the engine gets it. */
export class BeyondCompany extends Error {}

/**
 * Statements as one company may have them run. What `company-rows.ts` has put together is looked at again here, by its
 * text alone: wherever a table of companies stands in a statement, the next thing has to be this company. So a mistake
 * up there shows nobody's rows.
 */
export function ofOneCompany({ dialect, explain }: Store, companyId: string, statementsOf: StatementsOf): CompanyStore {
  const checked = (statement: Sql): Sql => requireCompany(statement, companyId)
  const asked = statementsOf(companyId, () => sizes.forget())
  const sizes = createCompanySizes({
    companyId,
    isInThread: asked.isInThread,
    read: (statement) => asked.read(checked(statement)),
  })
  return {
    companyId,
    dialect,
    explain,
    read: (statement) => asked.read(checked(statement)),
    isInThread: asked.isInThread,
    workMax: asked.workMax,
    readPart: (statement) => asked.readPart(checked(statement)),
    readLong: (statement) => asked.readLong(checked(statement)),
    readWithin: (statement, bytesMax) => asked.readWithin(checked(statement), bytesMax),
    transact: (statements, check, right) => asked.transact(statements.map(checked), check, right),
    transactInSteps: (work, right) => asked.transactInSteps(checkedSteps(work, checked), right),
    transactLong: (work, choose, right) => asked.transactLong(checkedSteps(work, checked), choose.map(checked), right),
    sizeOf: sizes.of,
    ownBytesOf: sizes.ownBytesOf,
    readReport: (tables, statement) =>
      after(asked.isInThread && anyIsLarge(sizes, tables), readByLength, { asked, statement: checked(statement) }),
  }
}

const anyIsLarge = ({ of }: CompanySizes, tables: readonly CompanyTable[]): Soon<boolean> => {
  const found = tables.map(of)
  const isLarge = (rows: number) => rows > sizeMax
  return found.some((size) => size instanceof Promise)
    ? Promise.all(found).then((sizes) => sizes.some(isLarge))
    : (found as number[]).some(isLarge)
}

const readByLength = (
  isLong: boolean,
  { asked, statement }: { readonly asked: CompanyStatements; readonly statement: Sql },
): Soon<Rows> => (isLong ? asked.readLong(statement) : asked.read(statement))

function* checkedSteps(work: Steps, checked: (statement: Sql) => Sql): Steps {
  for (let step = work.next(); !step.done; step = work.next(yield step.value.map(checked)));
}

/** Returns the statement unchanged, or throws. */
export function requireCompany(statement: Sql, companyId: string): Sql {
  const { texts, values } = statement
  const places = placesOf(texts)
  if (!places?.every((at) => values[at] === companyId)) throw new BeyondCompany('A statement does not name its company')
  return statement
}

/** The same statement with its company as a constant, and not as a value. */
export const withConstantCompany = (statement: Sql, { placeholder }: Dialect): Sql =>
  withConstants(statement, placesOf(statement.texts) ?? [], placeholder)

/** Statements with the same shape share their texts, so most texts are checked only once. */
const placesOf = memoize(findPlaces)

const condition = '"."company_id" = '
const tables = [...new Set<string>([...companyTables, ...resources.map(({ name }) => name)])].join('|')
const anyTable = `(?:"(?:${tables})"|(?:${tables})\\b)(?!\\.)`
/** A table name in any spelling. Text in single quotes, such as the name of a JSON field, is not a table. */
const mention = new RegExp(
  `'[^']*'|(\\b(?:from|join|update|into|only|using|table)\\s+${anyTable}|,\\s*(?:(?:${tables})\\b(?!\\.)|"(?:${tables})"\\s+as\\b))|"[^"]*"`,
  'gi',
)
const read = new RegExp(`(?:from|join) "(${tables})"(?: as "(\\w+)")? (?:where|on) "(\\w+)${RegExp.escape(condition)}$`)
/** A write for Citus stands within another statement. */
const start = '^(?:with written as \\()?'
const change = new RegExp(`${start}update "(${tables})" set `)
const insert = new RegExp(`${start}insert into "(?:${tables})" \\("company_id", [^()]*\\)\\s+(?:values \\(|select )$`)
/** The event of a new row, in the same statement. */
const insertBehind = new RegExp(` returning 1\\) insert into "(?:${tables})" \\("company_id", [^()]*\\) select $`)
/** Rows that are copied keep their company. */
const copy = new RegExp(
  `^insert into "(?:${tables})" \\("company_id", [^()]*\\) select "(\\w+)"\\."company_id", (?:(?! from ).)* from "(?:${tables})" as "\\1" where "\\1${RegExp.escape(condition)}\\?`,
  's',
)
/** Between two rows of values. */
const nextRow = '), ('

/** The positions that must hold the company, one after each table name; null if a table has none. */
function findPlaces(texts: readonly string[]): number[] | null {
  let mentions = 0
  const places: number[] = []
  const [first = ''] = texts
  const isInsert = insert.test(first)
  // The company of the rows that are copied is that of the new ones.
  if (first.startsWith('insert') && copy.test(texts.join('?'))) mentions -= 1
  for (const [at, text] of texts.entries()) {
    for (const [, table] of text.matchAll(mention)) if (table) mentions += 1
    if (isInsert && first.endsWith('values (')) mentions += text.split(nextRow).length - 1
    const startsRow = isInsert && (at === 0 || text.endsWith(nextRow) || insertBehind.test(text))
    if (at < texts.length - 1 && (startsRow || namesCompany(texts, text, at))) places.push(at)
  }
  return places.length === mentions ? places : null
}

function namesCompany(texts: readonly string[], text: string, at: number): boolean {
  if (!text.endsWith(condition)) return false
  // Combined with another condition by "or", it would not restrict anything.
  if (texts[at + 1]?.startsWith(' or ')) return false
  const [, table, alias = table, owner] = read.exec(text) ?? []
  if (owner !== undefined) return owner === alias
  const [, changed] = change.exec(texts[0] ?? '') ?? []
  return changed !== undefined && text.endsWith(` where "${changed}${condition}`)
}
