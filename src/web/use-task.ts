import { useState } from 'react'

export interface Task {
  readonly isRunning: boolean
  readonly error: unknown
  start(): void
}

/** Something that a person starts. Unlike a query's or a mutation's, its answer is kept nowhere. */
export function useTask(run: () => Promise<unknown>): Task {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const start = () => {
    if (isRunning) return
    setRunning(true)
    setError(null)
    run()
      .catch((thrown: unknown) => setError(thrown))
      .finally(() => setRunning(false))
  }
  return { isRunning, error, start }
}
