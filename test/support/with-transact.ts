import type { Database, Statements } from '../../src/store/database.ts'

type Transact = Statements['transact']

/** The same database with another `transact`, which is also that of each company. */
export function withTransact(db: Database, change: (transact: Transact) => Transact): Database {
  const changed = <Store extends Statements>(store: Store): Store => ({ ...store, transact: change(store.transact) })
  return {
    ...changed(db),
    forCompany: (companyId) => changed(db.forCompany(companyId)),
    forRows: (companyId) => changed(db.forRows(companyId)),
  }
}
