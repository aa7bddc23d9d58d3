import type { Config } from '../config/config.ts'
import { judgeAll, type NamedFinding } from '../store/check.ts'
import { engineOf } from '../store/open.ts'
import { inspectSettings, settingsChecks } from './settings-checks.ts'

/** Looks at everything that could void a promise, and changes nothing of the data. `isFull` reads the whole file. */
export async function examine(config: Config, isFull: boolean): Promise<NamedFinding[]> {
  const settings = judgeAll(settingsChecks, await inspectSettings(config))
  return [...settings, ...(await engineOf(config.databaseUrl).examine(config, isFull))]
}
