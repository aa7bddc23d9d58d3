import type { Database } from './database.ts'

/** How things of several companies are written. */
interface Writing<Thing> {
  companyOf(thing: Thing): string
  /** All or nothing. */
  write(things: readonly Thing[]): Promise<unknown>
  /** Told of those that were not written, and why. */
  failed(things: readonly Thing[], error: unknown): void
}

/** Writes things of several companies together. Where a company is gone by now, its own are given up, and the others written in halves. */
export async function writeTogether<Thing>(
  db: Pick<Database, 'explain'>,
  things: readonly Thing[],
  writing: Writing<Thing>,
): Promise<void> {
  try {
    await writing.write(things)
  } catch (error) {
    if (db.explain(error) !== 'foreign key') return writing.failed(things, error)
    const companies = [...Map.groupBy(things, writing.companyOf).values()]
    if (companies.length === 1) return
    const half = Math.ceil(companies.length / 2)
    await writeTogether(db, companies.slice(0, half).flat(), writing)
    await writeTogether(db, companies.slice(half).flat(), writing)
  }
}
