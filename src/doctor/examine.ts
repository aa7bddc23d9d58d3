import type { Config } from '../config/config.ts'
import { judgeAll, type NamedFinding } from '../store/check.ts'
import { engineOf } from '../store/open.ts'
import { inspectSettings, settingsChecks } from './settings-checks.ts'

/** Checks the settings and the database without changing data. `isFull` also compares every index (SQLite). */
export async function examine(config: Config, isFull: boolean): Promise<NamedFinding[]> {
  const settings = judgeAll(settingsChecks, await inspectSettings(config))
  return [...settings, ...(await engineOf(config.databaseUrl).examine(config, isFull))]
}
