import { failure } from '../errors/index.ts'
import type { InsertPlan, SentBack, WritePlan } from '../plan/plan.ts'
import type { Row, Rows } from './database.ts'
import { pageRows } from './limits.ts'
import { versionOf } from './result.ts'
import { joined, writtenCount } from './write-result.ts'

/** Whether rows that could be written may still be unwanted. Of one new row there is nothing to find out. */
export function isRefusable(plan: WritePlan): boolean {
  const { single, affectedMax, versions, sentBack } = plan
  const isOneNew = plan.kind === 'insert' && plan.conflict === null && plan.rows.length === 1
  const mayBeNew = plan.kind === 'insert' && plan.started.length > 0
  return versions !== null || sentBack !== null || mayBeNew || (!isOneNew && (single || affectedMax !== null))
}

/** Throws where the rows that were written are not those that the client would have written. */
export function refuseUnwanted(plan: WritePlan, all: readonly Rows[]): void {
  const { single, affectedMax, versions, sentBack } = plan
  const results = joined(plan, all)
  const count = writtenCount(plan, results)
  refuseOtherVersion(plan, results)
  if (sentBack) refuseOtherValues(plan, sentBack, results[versions ? 2 : 0]?.[0])
  if (plan.kind === 'insert') refuseStarted(plan, results)
  if (single && count !== 1) throw failure.notSingle(count)
  if (affectedMax !== null && count > affectedMax) throw failure.tooManyAffected(count)
}

/** The same as far as it can be told by the statements that come before the write. */
export function refuseOtherVersion({ versions }: WritePlan, results: readonly Rows[]): void {
  if (versions === null) return
  const row = results[1]?.[0]
  if (Number(row?.[1]) > pageRows) throw failure.tooMuch('rows with If-Match', pageRows, 'Name fewer rows by a filter.')
  if (!isCurrent(versions, row)) throw failure.versionDiffers()
}

function refuseOtherValues(plan: WritePlan, { columns }: SentBack, [count, ...same]: Row = []): void {
  const expected = plan.kind === 'insert' ? plan.rows.length : Number(count)
  for (const [at, { name }] of columns.entries())
    if (Number(same[at]) !== expected) throw failure.columnNotWritable(name)
}

function refuseStarted({ started, versions, sentBack }: InsertPlan, results: readonly Rows[]): void {
  if (started.length === 0) return
  const there = new Set(results[(versions ? 2 : 0) + (sentBack ? 1 : 0)]?.map(([key]) => key))
  const absent = started.find(({ key }) => !there.has(key))
  if (absent) throw absent.refusal
}

const isCurrent = (versions: readonly string[], [text, count]: Row = []): boolean =>
  Number(count) > 0 &&
  (versions.includes('*') || versions.some((version) => baseOf(version) === versionOf(String(text))))

/** A tag names the version, and behind a dot the shape in which it was shown. */
const baseOf = (tag: string): string => tag.split('.', 1)[0] ?? ''
