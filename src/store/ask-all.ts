import type { Database, Question, Rows } from './database.ts'

export interface Asking {
  /** Is given what each node finds, as soon as it has. */
  found(rows: Rows): void | Promise<void>
  /** Is told of a node that could not be asked. The others go on. */
  report(error: unknown): void
  /** All companies, unless some are named. */
  readonly companyIds?: readonly string[]
  /** For who asks again and again: the nodes that have yet to answer, and are not asked meanwhile. */
  readonly owing?: Set<string>
  readonly isLong?: boolean
}

/** Asks each node for rows of all companies. Never fails. */
export async function askAll(db: Pick<Database, 'inquire'>, question: Question, asking: Asking): Promise<void> {
  const { found, report, companyIds, owing = new Set(), isLong = false } = asking
  const due = db.inquire(question, companyIds).filter(({ node }) => !owing.has(node))
  await Promise.all(
    due.map(async ({ node, db: own, statement }) => {
      owing.add(node)
      try {
        await found(await (isLong ? own.readLong(statement) : own.background.read(statement)))
      } catch (error) {
        report(error)
      } finally {
        owing.delete(node)
      }
    }),
  )
}
