import type { OwnFields, Resource } from '../resources/define.ts'
import { askAll } from '../store/ask-all.ts'
import type { CompanyStore, Database, Question, Row, Rows } from '../store/database.ts'
import { integer, sql } from '../store/sql.ts'
import { nowText } from '../types/timestamp-text.ts'
import { buildIndexes, isEnding, isUnbuilt } from './build-index.ts'
import { changeSchema } from './change-schema.ts'
import type { FieldDocument } from './field.ts'
import { fieldOf, selectFields, updateField, writeSet } from './field-rows.ts'
import { takerOf } from './parse-definition.ts'
import { currentFields, hasOlder, isRewritten, rewriteRows } from './rewrite-rows.ts'

/** For so long, another process may write rows for the fields as they were before. */
const staleMs = 2000

/** Companies that are looked after at a time. */
const pendingMax = 100

/** Where the work has arrived in the order of companies. */
export const firstCompany = '00000000-0000-0000-0000-000000000000'

export interface Settling {
  /** Is told of an error with a company. The others go on. */
  report(error: unknown): void
  /** The last company that was looked after. */
  readonly behind?: string
  readonly pauseMs?: number
  /** How long the rows of one company may keep the others waiting. */
  readonly sliceMs?: number
  /** Where the rewriting of companies has stopped. */
  readonly stopped?: Map<string, Stopped>
}

interface Stopped {
  readonly version: number
  readonly behind: string
}

const sliceMsUsual = 1000

/**
 * Does what changes of fields leave to do, in small parts: rewrites rows and builds indexes. Returns the last company,
 * behind which it goes on the next time.
 */
export async function settleFields(db: Database, settling: Settling): Promise<string> {
  const { report, behind = firstCompany, pauseMs = staleMs } = settling
  const { sliceMs = sliceMsUsual, stopped = new Map() } = settling
  const rows = await findPending(db, behind, report)
  if (rows.length === 0) return firstCompany
  const pending: Pending[] = []
  for (const [companyId, name] of rows) {
    const own = db.forCompany(String(companyId))
    const resource = takerOf(String(name))
    await orReport(report, async () => {
      const fields = await currentFields(own, resource)
      const ending = (await own.read(selectFields(own, resource.name))).map(fieldOf).filter(isEnding)
      const isDone =
        (await isRewritten(own, resource, fields)) || (await rewriteSlice(own, { resource, fields }, sliceMs, stopped))
      if (isDone) pending.push({ companyId: own.companyId, resource, fields, ending })
    })
  }
  await Bun.sleep(pauseMs)
  for (const one of pending) await orReport(report, () => settle(db, one))
  return rows.length < pendingMax ? firstCompany : String(rows.at(-1)?.[0])
}

/** Goes on where it has stopped before, unless the fields have changed since. */
async function rewriteSlice(
  own: CompanyStore,
  { resource, fields }: Pick<Pending, 'resource' | 'fields'>,
  sliceMs: number,
  stopped: Map<string, Stopped>,
): Promise<boolean> {
  const { version } = fields
  const name = `${own.companyId} ${resource.name}`
  const before = stopped.get(name)
  const behind = before?.version === version ? before.behind : null
  const last = await rewriteRows(own, resource, fields, { behind, untilMs: performance.now() + sliceMs })
  if (last === null) stopped.delete(name)
  else stopped.set(name, { version, behind: last })
  return last === null
}

async function findPending(db: Database, behind: string, report: Settling['report']): Promise<Rows> {
  const all: Row[] = []
  const question: Question = (table) =>
    sql`select company_id, resource from ${table('field_set')} where pending = 1 and company_id > ${behind} order by company_id, resource limit ${integer(pendingMax)}`
  await askAll(db, question, { found: (rows) => void all.push(...rows), report })
  return all.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)).slice(0, pendingMax)
}

async function orReport(report: Settling['report'], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    report(error)
  }
}

interface Pending {
  readonly companyId: string
  readonly resource: Resource
  readonly fields: OwnFields
  /** Fields whose index every process has ceased to use by then. */
  readonly ending: readonly FieldDocument[]
}

/** The rest, once every process knows the fields. What has changed meanwhile stays pending. */
async function settle(db: Database, { companyId, resource, fields, ending }: Pending): Promise<void> {
  const own = db.forCompany(companyId)
  if (await hasOlder(own, resource, fields)) return
  const built = await buildIndexes(own, resource)
  await changeSchema(db, { companyId, resource: resource.name }, (now) => {
    const unbuilt = now.fields.filter(isUnbuilt)
    const kept = now.fields.filter(isEnding)
    const isSame = unbuilt.every((one) => isOneOf(built, one)) && kept.every((one) => isOneOf(ending, one))
    if (now.set.version !== fields.version || !isSame) return { statements: [], result: null }
    const settled = { ...now.set, rewrittenVersion: fields.version, isPending: false, restored: [], deleted: [] }
    return {
      statements: [
        ...unbuilt.map(({ id }) => updateField(own, id, { indexed_at: nowText() })),
        ...kept.map(({ id }) => updateField(own, id, { indexed_at: null })),
        writeSet(own, resource.name, settled),
      ],
      result: null,
    }
  })
}

/** Whether it is as it was. */
const isOneOf = (known: readonly FieldDocument[], { id, updated_at }: FieldDocument): boolean =>
  known.some((one) => one.id === id && one.updated_at === updated_at)
