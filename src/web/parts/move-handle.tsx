import { VisuallyHidden } from '@mantine/core'
import type { HTMLAttributes } from 'react'
import { Icon } from './icons.tsx'

interface MoveHandleProps extends HTMLAttributes<HTMLButtonElement> {
  readonly name: string
  readonly at: number
  readonly of: number
}

/** Moves a thing of a list: see `useReorder`. */
export function MoveHandle({ name, at, of, ...events }: MoveHandleProps) {
  return (
    <button type="button" className="move-handle" title="Drag, or press ↑ and ↓" {...events}>
      <Icon name="grip" size={16} />
      <VisuallyHidden>
        Move {name}, {at + 1} of {of}, by the arrow keys
      </VisuallyHidden>
    </button>
  )
}
