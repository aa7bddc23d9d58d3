import type { DeletePlan, InsertPlan, UpdatePlan, WritePlan } from '../../plan/plan.ts'
import type { WriteForm } from '../compile/compile-write.ts'
import { changeIndex } from '../compile/index-entries.ts'
import { leadingStatements, type PartlyPrepared } from '../compile/prepare.ts'
import type { Rows } from '../database.ts'
import type { Dialect } from '../dialect.ts'
import { writePart } from '../limits.ts'
import { refuseOtherVersion } from '../refuse-unwanted.ts'
import type { RowValues } from '../row-text.ts'
import { fill, type Sql } from '../sql.ts'
import { insertParts, inWriteParts } from '../write-parts.ts'
import { type Change, created, deleted, merged, mergedUnseen, updated } from './change.ts'
import { compileEvents, eventValues } from './compile-events.ts'
import { keyOf, measuredRows, oldRowsOf, presentRows, rowsOfOthers, valuesIn, wholeRows } from './old-rows.ts'

/** A write whose next statements depend on what the ones before found. It returns what the write itself found. */
export type WriteSteps = Generator<readonly Sql[], readonly Rows[], readonly Rows[]>

/** A write, once the keys of the rows that it may change are known. */
type Write = (keys: readonly string[]) => readonly Sql[]

/** An update or a delete with its events: the rows are locked and read first, and the write changes no others. */
export function* changeWithEvents(
  plan: UpdatePlan | DeletePlan,
  dialect: Dialect,
  form: WriteForm,
  write: Write,
): WriteSteps {
  const old = oldRowsOf(plan, dialect, form)
  const eventsOf = (found: readonly RowValues[]): readonly Sql[] => {
    const changes = found.map((row) => (plan.kind === 'update' ? updated(plan, row) : deleted(plan, row)))
    return accompany(plan, changes, dialect)
  }
  // The rows are checked as they are found: once their events and entries are written, an index no longer finds them.
  const leading = leadingStatements(plan)
  const [checked, [few]] = yield* inGroups([leading === 0 ? [] : write([]).slice(0, leading), [old.first()]])
  refuseOtherVersion(plan, checked)
  const first = valuesIn(few)
  const keys = first.map((row) => keyOf(plan, row))
  let events = eventsOf(first)
  for (let isMore = first.length === wholeRows(plan.resource); isMore; ) {
    const [, [next = []]] = yield* inGroups([events, [old.measured(keys.at(-1) ?? '')]])
    events = []
    for (const part of inWriteParts(next, ([, bytes]) => Number(bytes))) {
      const partKeys = part.map(([key]) => String(key))
      const [, [rows]] = yield* inGroups([events, [old.ofKeys(partKeys)]])
      events = eventsOf(valuesIn(rows))
      keys.push(...partKeys)
    }
    isMore = next.length === writePart.rows
  }
  const written: Rows[] = []
  for (const part of keyParts(keys, plan, form)) {
    const [, done] = yield* inGroups([events, write(part).slice(leading)])
    events = []
    // The last statement tells what was written.
    written.push(done.at(-1) ?? [])
  }
  return [...checked, written.flat()]
}

/** Very many keys are sent in parts. What a write shows is measured as a whole. */
function keyParts(
  keys: readonly string[],
  { returning }: UpdatePlan | DeletePlan,
  { isNarrowed = false }: WriteForm,
): Iterable<readonly string[]> {
  const isWhole = !isNarrowed || returning.length > 0 || keys.length === 0
  return isWhole ? [keys] : inWriteParts(keys, () => 0)
}

/** New rows with their events: all that is to be said of them stands in the plan. */
export function* insertWithEvents(plan: InsertPlan, dialect: Dialect, { leading, write }: PartlyPrepared): WriteSteps {
  const results: Rows[] = []
  let ahead = leading
  for (const part of insertParts(plan)) {
    const changes = part.rows.map((row) => created(part, row))
    const [checked, written] = yield* inGroups([ahead, write(part), accompany(part, changes, dialect)])
    results.push(...checked, ...written)
    ahead = []
  }
  return results
}

/** An upsert with its events. */
export function* upsertWithEvents(plan: InsertPlan, dialect: Dialect, { leading, write }: PartlyPrepared): WriteSteps {
  const isMerge = plan.conflict?.action === 'merge'
  // Where writers do not wait for each other, another one may have created a row in between.
  const mayMeetOthers = isMerge && dialect.chosen === null
  const results: Rows[] = []
  let ahead = leading
  let bytesOf: ReadonlyMap<string, number> | null = null
  if (isMerge && plan.rows.length > wholeRows(plan.resource)) {
    const [[present = []], checked] = yield* inGroups([[measuredRows(plan, dialect)], leading])
    bytesOf = new Map(present.map(([key, bytes]) => [String(key), Number(bytes)]))
    results.push(...checked)
    ahead = []
  }
  let events: readonly Sql[] = []
  for (const part of insertParts(plan, (row) => bytesOf?.get(keyOf(plan, row)) ?? 0)) {
    const isThere = (row: RowValues): boolean => bytesOf?.has(keyOf(plan, row)) ?? true
    const known = { ...part, rows: isMerge ? part.rows.filter(isThere) : [] }
    const look = known.rows.length === 0 ? [] : [presentRows(known, dialect)]
    const lookAgain = mayMeetOthers ? [rowsOfOthers(part, dialect)] : []
    const groups = [events, look, ahead, write(part), lookAgain] as const
    const [, [before], checked, written, [others]] = yield* inGroups(groups)
    results.push(...checked, ...written)
    ahead = []
    // The key stands behind the text of each row that was written.
    const keys = new Set(written.flatMap((rows) => rows.map((row) => String(row[1]))))
    events = accompany(part, upsertChanges(part, keys, byKey(plan, before), byKey(plan, others)), dialect)
  }
  yield events
  return results
}

/** Statements in groups → what those of each group found. */
function* inGroups<const Groups extends readonly (readonly Sql[])[]>(
  groups: Groups,
): Generator<readonly Sql[], Found<Groups>, readonly Rows[]> {
  const results = yield groups.flat()
  let end = 0
  const found = groups.map(({ length }) => {
    end += length
    return results.slice(end - length, end)
  })
  return found as unknown as Found<Groups>
}

type Found<Groups> = { readonly [At in keyof Groups]: readonly Rows[] }

type RowsByKey = ReadonlyMap<string, RowValues>

const byKey = (plan: WritePlan, rows: Rows | undefined): RowsByKey =>
  new Map(valuesIn(rows).map((row) => [keyOf(plan, row), row]))

function upsertChanges(
  plan: InsertPlan,
  written: ReadonlySet<string>,
  before: RowsByKey,
  others: RowsByKey,
): readonly Change[] {
  const left = new Set(written)
  return plan.rows.flatMap((sent) => {
    const key = keyOf(plan, sent)
    const was = before.get(key)
    // Of several with one key, the first was written.
    if (!left.delete(key)) return []
    if (was) return [merged(plan, was, sent)]
    const other = others.get(key)
    return [other ? mergedUnseen(plan, other) : created(plan, sent)]
  })
}

/** A trial is undone, and so would be its events. */
export const makesEvents = ({ actor, isTrial }: WritePlan): boolean => actor !== null && !isTrial

/** What is written together with the changes: their events, and the entries of indexes. */
function accompany(plan: WritePlan, changes: readonly Change[], dialect: Dialect): readonly Sql[] {
  const events = makesEvents(plan) ? changes.map((change) => eventValues(plan, change, dialect)) : []
  const written = compileEvents(events, dialect).map((piece) => fill(piece, plan.values))
  return [...written, ...changeIndex(plan, changes, dialect)]
}
