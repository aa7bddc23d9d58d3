import { settleFields } from '../../src/fields/settle-fields.ts'
import type { Database } from '../../src/store/database.ts'

/** What the service does in the background after a change of fields, at once. */
export const settleNow = (db: Database): Promise<string> =>
  settleFields(db, {
    pauseMs: 0,
    sliceMs: Number.POSITIVE_INFINITY,
    report: (error) => {
      throw error
    },
  })
