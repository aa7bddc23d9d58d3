import { type KeyboardEvent, type PointerEvent, useState } from 'react'

interface Reorder {
  /** For the button by which a thing is moved. */
  handle(key: string): object
  /** For the thing itself. */
  item(key: string): object
}

/** Moves things of a list by dragging their handle, also with a finger, or by the arrow keys on it. */
export function useReorder(keys: readonly string[], move: (keys: readonly string[]) => void): Reorder {
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const place = (key: string, at: number) => {
    if (at >= 0 && at < keys.length && keys[at] !== key) move(keys.filter((one) => one !== key).toSpliced(at, 0, key))
  }
  const stop = () => {
    setDragged(null)
    setOver(null)
  }
  return {
    handle: (key) => ({
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(key)
      },
      onPointerMove: (event: PointerEvent) => {
        if (dragged !== null) setOver(keyAt(event, keys))
      },
      onPointerUp: () => {
        if (dragged !== null && over !== null) place(dragged, keys.indexOf(over))
        stop()
      },
      onPointerCancel: stop,
      onKeyDown: (event: KeyboardEvent) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        place(key, keys.indexOf(key) + step)
      },
    }),
    item: (key) => ({
      'data-item': key,
      'data-dragged': dragged === key || undefined,
      'data-over':
        over === key && over !== dragged
          ? keys.indexOf(dragged ?? '') < keys.indexOf(key)
            ? 'after'
            : 'before'
          : undefined,
    }),
  }
}

/** Of the thing of this list that is under the pointer. */
function keyAt({ clientX, clientY }: PointerEvent, keys: readonly string[]): string | null {
  const key = document.elementFromPoint(clientX, clientY)?.closest('[data-item]')?.getAttribute('data-item') ?? null
  return key !== null && keys.includes(key) ? key : null
}
