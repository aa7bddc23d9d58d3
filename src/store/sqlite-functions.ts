import type { Database as Engine } from 'bun:sqlite'

/** What PostgreSQL has and SQLite has not. */
export function defineFunctions(engine: Engine): void {
  engine.function('unicode_lower', { deterministic: true }, (text: string) => text.toLowerCase())
}
