import { memoize } from '../../caches/memoize.ts'
import { failure } from '../../errors/index.ts'
import { filterOf, type KnownRow } from '../../plan/evaluate.ts'
import { knownRow, parseRow, type ShownRow } from '../../plan/known-row.ts'
import type { Condition, Field, ReadPlan } from '../../plan/plan.ts'
import type { Resource } from '../../resources/define.ts'
import type { StoredEvent } from '../../store/events/read-events.ts'
import { isLongFilter } from '../../store/filter-work.ts'

/** What one stream shows of events. */
export interface LiveView {
  /** An event as it is sent; null where it is not about rows that were asked for. */
  show(event: StoredEvent): string | null
}

/** Filters and selects by the plan of an ordinary read. Its order and its range mean nothing here. */
export function createLiveView({ resource, where, values, selection }: ReadPlan): LiveView {
  const fields = selection.map(requireOwn)
  refuseRelated(where)
  if (isLongFilter({ resource, where }, values)) throw failure.liveFilterLong()
  const isWhole = selectsAll(fields, resource)
  const known = knownRows(resource)
  const filter = filterOf(where, values)
  const meets = (row: ShownRow): boolean => filter(known(row))
  const mayHaveMatched = (event: StoredEvent): boolean => {
    const before = rowBefore(event)
    return before === null || meets(before)
  }

  return {
    show: (event) => {
      if (event.resource !== resource.name) return null
      const isThere = !event.type.endsWith('.deleted')
      const matches = isThere && (where.length === 0 || meets(rowAfter(event)))
      if (!matches && where.length > 0 && !mayHaveMatched(event)) return null
      if (!isWhole) return sent(event, matches, selected(fields, rowAfter(event)))
      return matches ? sentWhole(event) : sent(event, matches, event.row)
    },
  }
}

function requireOwn(selected: ReadPlan['selection'][number]): OwnField {
  if (selected.kind === 'embed') throw failure.liveUnsupported('embedded rows')
  const { key, column, cast, aggregate, aggregateCast } = selected
  if (column === null || aggregate !== null) throw failure.liveUnsupported('aggregates')
  if (cast !== null || aggregateCast !== null) throw failure.liveUnsupported('casts')
  return { key, name: column.name }
}

interface OwnField extends Pick<Field, 'key'> {
  readonly name: string
}

/** An embed is refused already, and so there is nothing to be related to. */
function refuseRelated(where: readonly Condition[]): void {
  if (where.some(({ kind }) => kind === 'related')) throw failure.liveUnsupported('embedded rows')
}

const selectsAll = (fields: readonly OwnField[], { columns }: Resource): boolean =>
  fields.length === columns.size &&
  [...columns.keys()].every((name, at) => fields[at]?.key === name && fields[at]?.name === name)

// Many streams look at the same event: what does not depend on the stream is made once.

const rowAfter = memoize(({ row }: StoredEvent): ShownRow => parseRow(row))

/** The row before an update. null where that is not known, and so any filter may have matched it. */
const rowBefore = memoize((event: StoredEvent): ShownRow | null => {
  const { type, previous } = event
  const row = rowAfter(event)
  if (!type.endsWith('.updated')) return row
  return previous === null ? null : { ...row, ...parseRow(previous) }
})

const sentWhole = memoize((event: StoredEvent): string => sent(event, true, event.row))

const knownRows = memoize((resource: Resource) => memoize((row: ShownRow): KnownRow => knownRow(resource, row)))

const selected = (fields: readonly OwnField[], row: ShownRow): string =>
  JSON.stringify(Object.fromEntries(fields.map(({ key, name }) => [key, row[name] ?? null])))

/** The id that a row had, where it has another one now: whoever keeps rows by their id has to find it. */
const previousId = ({ changed, previous }: StoredEvent): unknown =>
  previous !== null && changed.includes('"id"') ? parseRow(previous).id : undefined

/** A server-sent event. JSON has no line breaks of its own. */
function sent(event: StoredEvent, matches: boolean, row: string): string {
  const { sequence, id, type, rowId, changed, createdAt } = event
  const ids = { row_id: rowId, previous_row_id: previousId(event) }
  const head = JSON.stringify({ sequence, id, type, ...ids, matches, created_at: createdAt })
  return `id: ${sequence}\nevent: ${type}\ndata: ${head.slice(0, -1)},"changed":${changed},"row":${row}}\n\n`
}
