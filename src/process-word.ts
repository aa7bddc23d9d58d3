/** The program is called with one of these to be a process of its own service: not for people, and so no commands. */
export const processWord = { engine: 'engine', worker: 'worker' } as const
