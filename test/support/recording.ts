import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore, Database, Steps, Store } from '../../src/store/database.ts'
import { render, type Sql, type Value } from '../../src/store/sql.ts'

/** A statement as it reached the database. */
export interface Recorded {
  readonly text: string
  readonly values: readonly Value[]
}

/** The same database, which tells what is sent to it. */
export function recording(db: Database, tell: (statement: Recorded) => void): Database {
  const recordingCompany = (own: CompanyStore): CompanyStore => {
    const by = (read: Store['read']) => recordingStore({ ...own, read }, tell).read
    return {
      ...own,
      ...recordingStore(own, tell),
      readPart: by(own.readPart),
      readLong: by(own.readLong),
      readWithin: (statement, bytesMax) => by((one) => own.readWithin(one, bytesMax))(statement),
      transactLong: (work, choose, right) => {
        for (const statement of choose) tellOf(own, tell)(statement)
        return recordingStore(
          { ...own, transactInSteps: (steps) => own.transactLong(steps, choose, right) },
          tell,
        ).transactInSteps(work)
      },
    }
  }
  const readLong = recordingStore({ ...db, read: db.readLong }, tell).read
  return {
    ...db,
    ...recordingStore(db, tell),
    readLong,
    forCompany: (companyId) => recordingCompany(db.forCompany(companyId)),
    forRows: (companyId) => recordingCompany(db.forRows(companyId)),
    // A node is asked by the names of its shards, which nobody else knows.
    inquire: (question, companyIds) => {
      const whole = question(tableOfAllCompanies, companyIds ?? [])
      tell({ text: render(whole, db.dialect.placeholder), values: whole.values })
      return db.inquire(question, companyIds)
    },
  }
}

const tellOf =
  ({ dialect }: Store, tell: (statement: Recorded) => void) =>
  (statement: Sql): void =>
    tell({ text: render(statement, dialect.placeholder), values: statement.values })

function recordingStore(store: Store, tell: (statement: Recorded) => void): Store {
  const { dialect, explain } = store
  const note = tellOf(store, tell)
  function* noting(work: Steps): Steps {
    for (let step = work.next(); !step.done; step = work.next(yield step.value)) step.value.forEach(note)
  }
  return {
    dialect,
    explain,
    read: (statement) => {
      note(statement)
      return store.read(statement)
    },
    transact: (statements, check) => {
      statements.forEach(note)
      return store.transact(statements, check)
    },
    transactInSteps: (work) => store.transactInSteps(noting(work)),
  }
}
