import { loadModule, parseSync } from 'libpg-query'
import { coordinatorTables, distributedTables, referenceTables } from '../../src/store/cluster/layout.ts'

/** What a statement says of companies: which of its parameters must be the company's id, and what it does that it must not. */
export interface Examined {
  readonly companyParameters: readonly number[]
  readonly problems: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: PostgreSQL's own syntax tree, whose types would have to be cast at every step
type Node = any

const statements = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const

/** All that statements may call: nothing that depends on the time, a sequence, the session, or chance. */
const functions = new Set([
  ...['string_agg', 'concat', 'row_to_json', 'to_json', 'unnest', 'count', 'max', 'min', 'sum', 'avg', 'row_number'],
  ...['lower', 'substr', 'length', 'octet_length', 'regexp_replace', 'to_tsvector', 'to_tsquery', 'translate'],
  // Of the value itself, wherever it is stored.
  'pg_column_size',
  // The one time that is the server's: events are numbered in its order, and the clocks of instances differ.
  'clock_timestamp',
])
const systemColumns = new Set(['xmin', 'xmax', 'cmin', 'cmax', 'ctid', 'tableoid'])
const refusedNodes = new Set(['SQLValueFunction', 'MergeStmt', 'IntoClause', 'CurrentOfExpr', 'SetToDefault'])

await loadModule()

const isDistributed = (table: string): boolean => distributedTables.some((name) => name === table)
const isKnown = (table: string): boolean =>
  isDistributed(table) || table in referenceTables || table in coordinatorTables

export function examine(text: string): Examined {
  const parsed: Node = parseSync(text)
  const examination = new Examination()
  for (const { stmt } of parsed.stmts) examination.examine(stmt)
  if (parsed.stmts.length !== 1) examination.problems.push('is not one statement')
  return examination
}

class Examination implements Examined {
  readonly companyParameters: number[] = []
  readonly problems: string[] = []
  private readonly temporary = new Set<string>()

  examine(stmt: Node): void {
    const [kind = ''] = Object.keys(stmt)
    if (kind === 'VariableSetStmt') {
      if (!stmt[kind].is_local) this.problems.push('leaves something set in the session')
    } else if (statements.some((name) => name === kind)) this.walk(stmt)
    else this.problems.push(`is a ${kind}`)
  }

  /** Everything below a node, each query with the tables of its own level. */
  private walk(node: Node): void {
    if (Array.isArray(node)) for (const one of node) this.walk(one)
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return
    for (const [kind, inner] of Object.entries<Node>(node)) {
      this.look(kind, inner)
      this.walk(inner)
    }
  }

  private look(kind: string, node: Node): void {
    if (refusedNodes.has(kind)) this.problems.push(`uses ${kind}`)
    for (const { CommonTableExpr: named } of node?.withClause?.ctes ?? []) this.temporary.add(named.ctename)
    if (kind === 'SelectStmt' && node.op !== 'SETOP_NONE') this.problems.push('combines queries')
    if (kind === 'WithClause' && node.recursive) this.problems.push('is recursive')
    if (kind === 'FuncCall') this.lookAtCall(node)
    if (kind === 'ColumnRef' && systemColumns.has(nameOf(node).at(-1) ?? '')) this.problems.push('uses a system column')
    if (kind === 'SelectStmt') this.lookAtLevel(node.fromClause ?? [], node.whereClause)
    if (kind === 'UpdateStmt')
      this.lookAtLevel([{ RangeVar: node.relation }, ...(node.fromClause ?? [])], node.whereClause)
    if (kind === 'DeleteStmt')
      this.lookAtLevel([{ RangeVar: node.relation }, ...(node.usingClause ?? [])], node.whereClause)
    if (kind === 'InsertStmt') this.lookAtInsert(node)
    if (kind === 'UpdateStmt' && changes(node, 'company_id') && isDistributed(node.relation.relname))
      this.problems.push('moves rows to another company')
  }

  private lookAtCall({ funcname }: Node): void {
    const name = funcname.map((part: Node) => part.String.sval).join('.')
    if (!functions.has(name)) this.problems.push(`calls ${name}()`)
  }

  /** Each table of a company has `alias.company_id = $n` beside it, and not within an `or`. */
  private lookAtLevel(from: readonly Node[], where: Node): void {
    const ranges = from.flatMap(rangesOf)
    const conditions = [...partsOf(where), ...from.flatMap(joinConditions)]
    for (const { relname, alias } of ranges) {
      if (this.temporary.has(relname)) continue
      if (!isKnown(relname)) this.problems.push(`uses the unknown table ${relname}`)
      if (!isDistributed(relname)) continue
      const name = alias?.aliasname ?? relname
      const found = conditions.flatMap((one) => companyParameter(one, name, ranges.length === 1))
      if (found.length === 0) this.problems.push(`does not say the company of ${name}`)
      this.companyParameters.push(...found)
    }
  }

  private lookAtInsert({ relation, cols, selectStmt, onConflictClause }: Node): void {
    const { relname } = relation
    if (!isKnown(relname)) this.problems.push(`uses the unknown table ${relname}`)
    if (onConflictClause && !onConflictClause.infer) this.problems.push('names no arbiter for conflicts')
    if (!isDistributed(relname)) return
    const at = cols.findIndex(({ ResTarget }: Node) => ResTarget.name === 'company_id')
    const { valuesLists, targetList } = selectStmt.SelectStmt
    const rows = valuesLists
      ? valuesLists.map(({ List }: Node) => List.items)
      : [targetList.map(({ ResTarget }: Node) => ResTarget.val)]
    for (const row of rows) {
      // Copied rows keep the company that is asked for where they come from.
      if (row[at].ColumnRef && isCompanyOf(row[at].ColumnRef, selectStmt.SelectStmt.fromClause)) continue
      const parameter = parameterOf(row[at])
      if (parameter === null) this.problems.push(`does not say the company of a new ${relname}`)
      else this.companyParameters.push(parameter)
    }
    if (onConflictClause?.infer) this.lookAtConflict(onConflictClause)
  }

  private lookAtConflict({ infer, targetList = [] }: Node): void {
    const arbiter = infer.indexElems.map(({ IndexElem }: Node) => IndexElem.name)
    if (!arbiter.includes('company_id')) this.problems.push('has an arbiter without a company')
    if (targetList.some(({ ResTarget }: Node) => ResTarget.name === 'company_id'))
      this.problems.push('moves rows to another company')
  }
}

/** What Citus refuses of a write to a distributed table: to return anything but columns, and to insert by a subquery that is no condition. */
export function refusedByCitus(text: string): string[] {
  const found: string[] = []
  const walk = (node: Node): void => {
    if (node === null || typeof node !== 'object') return
    for (const [kind, inner] of Object.entries<Node>(node)) {
      const isWrite = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind) && isDistributed(inner.relation.relname)
      if (isWrite && !returnsColumns(inner)) found.push('returns what is no column')
      if (isWrite && kind === 'InsertStmt' && JSON.stringify(withoutCondition(inner)).includes('"SubLink"'))
        found.push('inserts by a subquery')
      if (isWrite && inner.withClause) found.push('writes behind a common table expression')
      walk(inner)
    }
  }
  walk(parseSync(text))
  return found
}

const withoutCondition = ({ selectStmt, ...insert }: Node): Node => {
  const { whereClause, ...select } = selectStmt?.SelectStmt ?? {}
  return { ...insert, select }
}

/** The clause has another form since PostgreSQL 18. */
const returnsColumns = ({ returningList, returningClause }: Node): boolean =>
  (returningList ?? returningClause?.exprs ?? []).every(({ ResTarget }: Node) => ResTarget.val.ColumnRef)

function rangesOf(node: Node): Node[] {
  if (node.RangeVar) return [node.RangeVar]
  return node.JoinExpr ? [...rangesOf(node.JoinExpr.larg), ...rangesOf(node.JoinExpr.rarg)] : []
}

/** Of an outer join, the condition does not narrow both sides. */
function joinConditions({ JoinExpr: join }: Node): Node[] {
  if (!join) return []
  const own = join.jointype === 'JOIN_INNER' ? partsOf(join.quals) : []
  return [...own, ...joinConditions(join.larg), ...joinConditions(join.rarg)]
}

const partsOf = (where: Node): Node[] =>
  where?.BoolExpr?.boolop === 'AND_EXPR' ? where.BoolExpr.args.flatMap(partsOf) : where ? [where] : []

/** Whether a column is the company of the only table. */
function isCompanyOf(column: Node, from: readonly Node[] = []): boolean {
  const [only, ...others] = from.flatMap(rangesOf)
  if (!only || others.length > 0 || !isDistributed(only.relname)) return false
  return nameOf(column).join('.') === `${only.alias?.aliasname ?? only.relname}.company_id`
}

function companyParameter({ A_Expr: compared }: Node, alias: string, isAlone: boolean): number[] {
  if (compared?.kind !== 'AEXPR_OP' || compared.name[0].String.sval !== '=' || !compared.lexpr.ColumnRef) return []
  const name = nameOf(compared.lexpr.ColumnRef)
  const isCompany = name.join('.') === `${alias}.company_id` || (isAlone && name.join('.') === 'company_id')
  const parameter = isCompany ? parameterOf(compared.rexpr) : null
  return parameter === null ? [] : [parameter]
}

const parameterOf = (node: Node): number | null =>
  node?.ParamRef?.number ?? (node?.TypeCast ? parameterOf(node.TypeCast.arg) : null)

const nameOf = ({ fields }: Node): string[] => fields.map((field: Node) => field.String?.sval ?? '*')

const changes = ({ targetList }: Node, column: string): boolean =>
  targetList.some(({ ResTarget }: Node) => ResTarget.name === column)
