import { Stack, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { Column, Resource, Row } from '../api-types.ts'
import { choiceOf } from '../columns/allowed-values.ts'
import { useChanges } from '../live/use-changes.ts'
import { idOf, nameOf } from '../rows/resources.ts'
import { useRowColumns } from '../rows/row-columns.tsx'
import { type RowsView, searchedOf } from '../rows/view.ts'
import { labelsOf } from '../rows/words.ts'
import { useRefusal } from '../session.tsx'
import { unknownFilters } from '../table/table-view.ts'
import { Toolbar } from '../table/toolbar.tsx'
import { UnknownFilters } from '../table/unknown-filters.tsx'
import { Lane } from './lane.tsx'
import { type LaneValue, laneName, mayGo } from './lanes.ts'
import { useMoves } from './moves.ts'
import { ViewSwitch } from './view-switch.tsx'

interface BoardProps {
  readonly resource: Resource
  readonly column: Column
  readonly view: RowsView
}

/** Rows in lanes by a choice. A card goes to the lanes that its value may become. */
export function Board({ resource, column, view }: BoardProps) {
  const [dragged, setDragged] = useState<Row | null>(null)
  const [said, setSaid] = useState('')
  const [shifted, setShifted] = useState<string | null>(null)
  const { moves, move } = useMoves(resource, column, setShifted)
  const mayMove = useRefusal('developer') === null
  const searched = searchedOf(resource)
  const { isSettled } = useChanges({ resource: resource.name, isHeld: dragged !== null })
  const columns = useRowColumns(resource)
  const unknown = unknownFilters(columns, view)
  const lanes: readonly LaneValue[] = unknown.length > 0 ? [] : [null, ...(column.choices ?? [])]

  const put = (row: Row, to: LaneValue) => {
    // One step at a time: the next one depends on what the server says of this one.
    if (moves.has(idOf(resource, row))) return setSaid(`${nameOf(resource, row)} is still being moved.`)
    setSaid(`${nameOf(resource, row)}: ${laneName(column, to)}`)
    void move(row, to?.value ?? null)
  }
  /** To the next lane in this direction that the card may go to. */
  const step = (row: Row, by: -1 | 1) => {
    const from = shownValue(row)
    const at = lanes.findIndex((lane) => (lane?.value ?? null) === from)
    const others = by === 1 ? lanes.slice(at + 1) : lanes.slice(0, at).toReversed()
    const to = others.find((lane) => mayGo(column, from, lane))
    if (to !== undefined) put(row, to)
    else setSaid(`${nameOf(resource, row)} cannot be moved there.`)
  }
  const shownValue = (row: Row): string | null => {
    const move = moves.get(idOf(resource, row))
    return move ? move.to : choiceOf(column, row)
  }

  return (
    <Stack gap="sm">
      <Toolbar
        many={resource.many}
        searched={searched.length === 0 ? null : labelsOf(searched)}
        columns={columns}
        view={view}
        isTable={false}
      >
        <ViewSwitch resource={resource} />
      </Toolbar>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {unknown.length > 0 && <UnknownFilters many={resource.many} unknown={unknown} view={view} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="board" tabIndex={0} aria-label={`${resource.many} by ${column.label}`}>
        {lanes.map((lane) => (
          <Lane
            key={lane?.value ?? ''}
            resource={resource}
            column={column}
            view={view}
            lane={lane}
            moves={moves}
            mayRead={isSettled}
            mayMove={mayMove}
            shifted={shifted}
            arrive={() => setShifted(null)}
            takes={dragged !== null && mayGo(column, shownValue(dragged), lane)}
            drag={setDragged}
            drop={() => {
              if (dragged) put(dragged, lane)
              // The card is gone from its old lane before it could say that it is not dragged any more.
              setDragged(null)
            }}
            put={put}
            step={step}
          />
        ))}
      </section>
    </Stack>
  )
}
