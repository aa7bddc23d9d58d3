/** Lets everything else that waits go on first. Long work calls it between its steps. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
