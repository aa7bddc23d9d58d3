/** Yields to the event loop. Long work calls it between its steps. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
