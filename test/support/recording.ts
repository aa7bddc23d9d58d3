import type { Database, Steps } from '../../src/store/database.ts'
import { render, type Sql, type Value } from '../../src/store/sql.ts'

/** A statement as it reached the database. */
export interface Recorded {
  readonly text: string
  readonly values: readonly Value[]
}

/** The same database, which tells what is sent to it. */
export function recording(db: Database, tell: (statement: Recorded) => void): Database {
  const note = (statement: Sql) => tell({ text: render(statement, db.dialect.placeholder), values: statement.values })
  function* noting(work: Steps): Steps {
    for (let step = work.next(); !step.done; step = work.next(yield step.value)) step.value.forEach(note)
  }
  return {
    ...db,
    read: (statement) => {
      note(statement)
      return db.read(statement)
    },
    transact: (statements, check) => {
      statements.forEach(note)
      return db.transact(statements, check)
    },
    transactInSteps: (work) => db.transactInSteps(noting(work)),
    forCompany: (companyId) => recording(db.forCompany(companyId), tell),
  }
}
