import type { Engine, Right, Steps } from '../../src/store/database.ts'

/** On a busy machine, the time of a write elsewhere may be over before its end. Then nothing is written, and it is made again. */
export function writeLongInTime(db: Engine, makeWork: () => Steps, right?: Right): Promise<void> {
  return db.transactLong(makeWork(), [], right).catch((error) => {
    if (db.explain(error) !== 'slow') throw error
    return writeLongInTime(db, makeWork, right)
  })
}
