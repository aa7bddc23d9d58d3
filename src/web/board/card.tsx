import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Column, Resource, Row } from '../api-types.ts'
import { Choice } from '../columns/choice.tsx'
import { viewOf } from '../columns/column-views.tsx'
import { Icon } from '../parts/icons.tsx'
import { idOf, nameOf } from '../rows/resources.ts'
import { besideTable } from '../table/row-menu.tsx'
import { openRow } from '../table/table-view.ts'
import { type LaneValue, laneName, lanesFrom } from './lanes.ts'
import type { Moves } from './moves.ts'

interface CardProps {
  readonly resource: Resource
  readonly column: Column
  readonly row: Row
  readonly lane: LaneValue
  readonly moves: Moves
  readonly mayMove: boolean
  readonly shifted: string | null
  readonly arrive: () => void
  readonly drag: (row: Row | null) => void
  readonly put: (row: Row, to: LaneValue) => void
  readonly step: (row: Row, by: -1 | 1) => void
}

/** What else a card tells. */
const factsMax = 3

export function Card(props: CardProps) {
  const { resource, column, row, moves, mayMove, drag } = props
  const isMoving = moves.has(idOf(resource, row))
  const facts = resource.columns
    .filter(({ name, own, references }) => (own || references !== null) && name !== column.name)
    .filter(({ name }) => row[name] !== null && row[name] !== undefined)
    .slice(0, factsMax)
  return (
    <li
      className="card"
      aria-busy={isMoving}
      draggable={mayMove && !isMoving}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', nameOf(resource, row))
        drag(row)
      }}
      onDragEnd={() => drag(null)}
    >
      <div className="card-head">
        <UnstyledButton className="row-name" onClick={() => openRow(idOf(resource, row))}>
          <span className="clamp strong" title={nameOf(resource, row)} dir="auto">
            {nameOf(resource, row)}
          </span>
        </UnstyledButton>
        {mayMove && <MoveMenu {...props} />}
      </div>
      {facts.map((one) => {
        const { Cell } = viewOf(one)
        return (
          <div key={one.name} className="card-fact">
            <span>{one.label}</span> <Cell column={one} row={row} />
          </div>
        )
      })}
    </li>
  )
}

/** The arrow keys move the card to the lanes beside; a click or a touch shows where it may go. */
function MoveMenu({ resource, column, row, lane, shifted, arrive, put, step }: CardProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isShifted = shifted === idOf(resource, row)
  useEffect(() => {
    if (!isShifted) return
    // The focus is gone with the handle in the other lane, unless it was elsewhere by then.
    if (document.activeElement === document.body) button.current?.focus()
    arrive()
  }, [isShifted, arrive])
  const next = lanesFrom(column, lane?.value ?? null)
  const press = (event: KeyboardEvent) => {
    const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key]
    if (by === undefined) return
    event.preventDefault()
    step(row, by)
  }
  return (
    <Menu position="bottom-end" {...besideTable}>
      <Menu.Target>
        <button type="button" ref={button} className="move-handle" title="Drag, or press ← and →" onKeyDown={press}>
          <Icon name="grip" size={16} />
          <VisuallyHidden>Move {nameOf(resource, row)} by the arrow keys</VisuallyHidden>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{next.length === 0 ? 'Nothing may follow' : 'Move to'}</Menu.Label>
        {next.map((choice) => (
          <Menu.Item key={choice?.value ?? ''} onClick={() => put(row, choice)}>
            {choice ? <Choice label={choice.label} color={choice.color} /> : laneName(column, null)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
