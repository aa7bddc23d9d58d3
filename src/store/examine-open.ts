import { type NamedFinding, problem } from './check.ts'
import type { Database } from './database.ts'
import { engineError } from './engine-error.ts'

/** Looks at a database that is opened for that alone. Why it cannot be opened is a finding, too. */
export async function examineOpen(
  open: () => Database,
  remedyFor: (error: unknown) => string,
  look: (db: Database) => Promise<NamedFinding[]>,
): Promise<NamedFinding[]> {
  let db: Database | null = null
  try {
    db = open()
    return await look(db)
  } catch (thrown) {
    const error = engineError(thrown)
    const reason = error instanceof Error ? error.message : String(error)
    return [{ name: 'database', ...problem(`cannot be read: ${reason}`, remedyFor(error)) }]
  } finally {
    await db?.close().catch(() => {})
  }
}
