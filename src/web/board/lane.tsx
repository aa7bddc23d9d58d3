import { Button, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Column, Resource, Row } from '../api-types.ts'
import { mayLoseValue } from '../columns/allowed-values.ts'
import { Choice } from '../columns/choice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { readable } from '../rows/query.ts'
import { idOf, useResources } from '../rows/resources.ts'
import { queryOf, type RowsView } from '../rows/view.ts'
import { useAnswer } from '../session.tsx'
import { Card } from './card.tsx'
import { type LaneValue, laneName } from './lanes.ts'
import type { Moves } from './moves.ts'

interface LaneProps {
  readonly resource: Resource
  readonly column: Column
  readonly view: RowsView
  /** Null for the rows without a value. */
  readonly lane: LaneValue
  readonly moves: Moves
  /** Whether changes are followed: lanes that were read before would be read twice. */
  readonly mayRead: boolean
  readonly mayMove: boolean
  /** The card that is just going to another lane, and takes the focus along. */
  readonly shifted: string | null
  /** Said by that card once it is there. */
  readonly arrive: () => void
  /** Whether the card that is dragged may come here. */
  readonly takes: boolean
  readonly drag: (row: Row | null) => void
  readonly drop: () => void
  readonly put: (row: Row, to: LaneValue) => void
  readonly step: (row: Row, by: -1 | 1) => void
}

/** How many cards are shown at first, and come with each click. */
const cardsStep = 24

export function Lane(props: LaneProps) {
  const { resource, column, view, lane, moves, mayRead, takes, drop } = props
  const [most, setMost] = useState(cardsStep)
  const [isOver, setOver] = useState(false)
  const id = useId()
  const query = laneQuery(queryOf(resource, useResources(), { ...view, page: 1 }), column, lane, most)
  const found = useAnswer<RowPage<Row>>(
    `/rest/${resource.name}?${query}`,
    { placeholderData: keepPreviousData, enabled: mayRead },
    getRows,
  )
  const cards = cardsOf(found.data?.rows ?? [], props)
  const total = (found.data?.total ?? 0) + cards.length - (found.data?.rows.length ?? 0)
  // With states, every row has a value, unless it is older than the field.
  if (lane === null && total === 0 && !mayLoseValue(column)) return null
  const over = (event: DragEvent) => {
    if (!takes) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <section
      className="lane"
      aria-labelledby={id}
      data-takes={takes || undefined}
      data-over={(takes && isOver) || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (takes) drop()
      }}
    >
      <h2 className="lane-title" id={id}>
        {lane ? <Choice label={lane.label} color={lane.color} /> : laneName(column, lane)}
        <Text span size="sm" c="dimmed">
          {[found.data && total.toLocaleString('en'), lane?.closed && 'closed'].filter(Boolean).join(' · ')}
        </Text>
      </h2>
      <Loaded query={found} what={`the ${resource.many}`} lines={3}>
        {() => (
          <ul className="lane-cards">
            {cards.map((row) => (
              <Card key={idOf(resource, row)} row={row} {...props} />
            ))}
          </ul>
        )}
      </Loaded>
      {total > cards.length && moves.size === 0 && (
        <Button size="xs" variant="default" fullWidth mt="xs" onClick={() => setMost(most + cardsStep)}>
          Show more
        </Button>
      )}
    </section>
  )
}

/** The question of the view, for one lane. */
function laneQuery(text: string, { name }: Column, lane: LaneValue, most: number): string {
  const query = new URLSearchParams(text)
  query.append(name, lane ? `eq.${lane.value}` : 'is.null')
  query.set('limit', String(most))
  return readable(query)
}

/** Without those that are on their way elsewhere, and with those that come. */
function cardsOf(rows: readonly Row[], { resource, lane, moves }: LaneProps): readonly Row[] {
  const value = lane?.value ?? null
  const staying = rows.filter((row) => {
    const move = moves.get(idOf(resource, row))
    return !move || move.to === value
  })
  const coming = [...moves.values()].filter(
    ({ row, to }) => to === value && !staying.some((one) => idOf(resource, one) === idOf(resource, row)),
  )
  return [...coming.map(({ row }) => row), ...staying]
}
