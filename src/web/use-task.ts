import { useRef, useState } from 'react'
import { isFailure } from './api.ts'
import { useIsReachable } from './connection.ts'

export interface Task {
  readonly isRunning: boolean
  readonly error: unknown
  start(): void
}

/** Something that a person starts. Unlike a query's or a mutation's, its answer is kept nowhere. */
export function useTask(run: () => Promise<unknown>): Task {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // A second click may come before the button is drawn anew.
  const hasStarted = useRef(false)
  const start = () => {
    if (hasStarted.current) return
    hasStarted.current = true
    setRunning(true)
    setError(null)
    run()
      .catch((thrown: unknown) => setError(thrown))
      .finally(() => {
        hasStarted.current = false
        setRunning(false)
      })
  }
  // Once the server can be reached again, that it could not is no news.
  const isOver = useIsReachable() && isFailure(error, 'unreachable')
  return { isRunning, error: isOver ? null : error, start }
}
