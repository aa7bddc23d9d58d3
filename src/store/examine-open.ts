import { type NamedFinding, problem } from './check.ts'
import type { Database } from './database.ts'

/** Looks at a database that is opened for that alone. Why it cannot be opened is a finding, too. */
export async function examineOpen(
  open: () => Database,
  remedyFor: (reason: string) => string,
  look: (db: Database) => Promise<NamedFinding[]>,
): Promise<NamedFinding[]> {
  let db: Database | null = null
  try {
    db = open()
    return await look(db)
  } catch (error) {
    const reason = reasonOf(error)
    return [{ name: 'database', ...problem(`cannot be read: ${reason}`, remedyFor(reason)) }]
  } finally {
    await db?.close().catch(() => {})
  }
}

/** What the engine said, not what a client of the API would be told. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
