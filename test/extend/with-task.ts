import { join } from 'node:path'

/** For the environment of the program: it then has the resource `task`. */
export const preload = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'preload.ts')}` } as const
