import { memoize } from '../../caches/memoize.ts'
import type { InsertPlan, UpdatePlan, WritePlan } from '../../plan/plan.ts'
import { type Column, type Resource, typeOf } from '../../resources/define.ts'

/** The values of a row in the order of its columns, each as its canonical text. */
export type RowValues = readonly (string | null)[]

/** What a write does to one row. */
export interface Change {
  readonly kind: 'created' | 'updated' | 'deleted'
  /** The row as it is afterwards, or was before it is deleted. */
  readonly row: RowValues
  /** The columns that have another value than before. */
  readonly changed: readonly Column[]
  /** The row as it was before an update; null where nobody can know any more. */
  readonly before: RowValues | null
}

export const columnsOf = memoize(({ columns }: Resource): readonly Column[] => [...columns.values()])

export const created = ({ resource }: WritePlan, row: RowValues): Change => ({
  ...{ kind: 'created', row, before: null },
  changed: columnsOf(resource),
})

export const deleted = ({ resource }: WritePlan, row: RowValues): Change => ({
  ...{ kind: 'deleted', row, before: null },
  changed: columnsOf(resource),
})

export const updated = (plan: UpdatePlan, before: RowValues): Change =>
  changedTo(
    plan.resource,
    before,
    plan.changes.map(({ column, value }) => [column, value]),
  )

/** A row that was there already, and is merged with one that was sent. */
export const merged = ({ resource, columns, conflict }: InsertPlan, before: RowValues, sent: RowValues): Change =>
  changedTo(
    resource,
    before,
    conflict?.action === 'merge'
      ? conflict.changes.map((column) => [column, sent[columns.indexOf(column)] ?? null])
      : [],
  )

/** The same, where another writer was faster to create the row: what it was is not known. */
export const mergedUnseen = ({ conflict }: InsertPlan, row: RowValues): Change => ({
  ...{ kind: 'updated', row, before: null },
  changed: conflict?.action === 'merge' ? conflict.changes : [],
})

function changedTo(
  resource: Resource,
  before: RowValues,
  values: readonly (readonly [column: Column, value: string | null])[],
): Change {
  const columns = columnsOf(resource)
  const row = [...before]
  for (const [column, value] of values) row[columns.indexOf(column)] = value
  return { kind: 'updated', row, before, changed: columns.filter((_, at) => row[at] !== before[at]) }
}

/** `{"id":"…","bid_name":"…"}`: the whole row. */
export function rowText(resource: Resource, row: RowValues): string {
  const members = membersOf(resource)
  let text = ''
  for (let at = 0; at < members.length; at += 1) text += memberText(members[at], row[at] ?? null)
  return `{${text.slice(1)}}`
}

/** The same of some columns. */
export const partText = (resource: Resource, row: RowValues, columns: readonly Column[]): string =>
  `{${membersOf(resource)
    .map((member, at) => (columns.includes(member.column) ? memberText(member, row[at] ?? null) : ''))
    .join('')
    .slice(1)}}`

interface Member {
  readonly column: Column
  readonly start: string
  readonly toJson: (value: string) => string
}

const memberText = (member: Member | undefined, value: string | null): string =>
  member ? member.start + (value === null ? 'null' : member.toJson(value)) : ''

const membersOf = memoize((resource: Resource): readonly Member[] =>
  columnsOf(resource).map((column) => ({
    column,
    start: `,${JSON.stringify(column.name)}:`,
    toJson: typeOf(column).toJson,
  })),
)
