import { useEffect, useRef, useState } from 'react'
import { isCurrent, refresh } from '../queries.ts'
import { apiPath, useHere } from '../session.tsx'
import { followChanges } from './follow-changes.ts'
import { paced } from './paced.ts'

interface Shown {
  /** Whose rows are shown; null where their changes are not followed. */
  readonly resource: string | null
  /** The resources whose rows are counted in each of them. */
  readonly counted?: readonly string[]
  /** Whether they have to stay as they are for now. */
  readonly isHeld: boolean
  /** When they were last read. */
  readonly readAt?: number
}

/** Nobody waits longer for a stream to open. */
const settleMs = 2_000

interface Changes {
  /** What is read from now on need not be read again when the stream of changes opens. */
  readonly isSettled: boolean
  /** Whether the rows that are held have changed since they were read. */
  readonly isBehind: boolean
  show(): void
}

/** Reads the rows of a page again when somebody changes them. While they are held, it only says so. */
export function useChanges({ resource, counted = [], isHeld, readAt = 0 }: Shown): Changes {
  const { id } = useHere().company
  const [changedAt, setChangedAt] = useState(0)
  const [isSettled, setSettled] = useState(resource === null)
  const held = useRef(isHeld)
  held.current = isHeld
  const path = `/rest/${resource}?`
  const followed = resource === null ? '' : [resource, ...counted].join()

  useEffect(() => {
    if (followed === '') return
    let isTold = false
    const look = paced(async () => {
      const isSure = isTold
      isTold = false
      if (!held.current) return refresh(path)
      if (isSure || !(await isCurrent(path))) setChangedAt(Date.now())
    })
    const changed = () => {
      isTold = true
      look()
    }
    const settled = () => setSettled(true)
    const timer = setTimeout(settled, settleMs)
    const stops = followed
      .split(',')
      .map((one) => followChanges({ base: apiPath(id, ''), resource: one }, { changed, opened: look, settled }))
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [id, followed, path])

  useEffect(() => {
    if (isHeld || changedAt === 0) return
    setChangedAt(0)
    void refresh(path)
  }, [isHeld, changedAt, path])

  return { isSettled, isBehind: isHeld && changedAt > readAt, show: () => void refresh(path) }
}
