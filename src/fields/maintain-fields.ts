import type { Database } from '../store/database.ts'
import { firstCompany, type Settling, settleFields } from './settle-fields.ts'

export interface FieldMaintenance {
  /** Waits for what has begun. */
  stop(): Promise<void>
}

const pollMs = 2000

/** Does in the background what changes of fields leave to do, also those made by other processes. */
export function maintainFields(db: Database, report: (error: unknown) => void): FieldMaintenance {
  let running: Promise<void> | null = null
  let behind = firstCompany
  const stopped: Settling['stopped'] = new Map()
  const timer = setInterval(() => {
    running ??= settleFields(db, { report, behind, stopped })
      .then((last) => {
        behind = last
      })
      .catch(report)
      .finally(() => {
        running = null
      })
  }, pollMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
