import { SQL } from 'bun'
import { inParts, partBytesMax, partRowsMax } from '../copy/parts.ts'
import type { Snapshot } from '../copy/snapshot.ts'
import type { Rows } from '../database.ts'
import { integer, render, type Sql, sql } from '../sql.ts'
import { locationOf } from './postgres.ts'
import { type PostgresSettings, postgresConnection } from './postgres-connection.ts'
import { postgresDialect } from './postgres-dialect.ts'

export async function openPostgresSnapshot(settings: PostgresSettings): Promise<Snapshot> {
  const pool = new SQL({ ...postgresConnection(settings), max: 1 })
  const client = await pool.reserve()
  await client.unsafe('begin isolation level repeatable read read only')
  // A copy may take hours, and it waits while the target writes.
  await client.unsafe('set local statement_timeout = 0')
  await client.unsafe('set local idle_in_transaction_session_timeout = 0')

  const read = async (statement: Sql): Promise<Rows> => {
    const rows: unknown = await client
      .unsafe(render(statement, postgresDialect.placeholder), [...statement.values])
      .values()
    return rows as Rows
  }

  async function* portions(select: Sql, rows: number): AsyncGenerator<Rows> {
    await read(sql`declare part no scroll cursor for ${select}`)
    for (;;) {
      const portion = await read(sql`fetch ${integer(rows)} from part`)
      if (portion.length === 0) break
      yield portion
    }
    await client.unsafe('close part')
  }

  return {
    engine: 'postgres',
    location: locationOf(settings.url),
    read,
    parts: async function* (select, heaviest) {
      const [[bytes] = []] = await read(heaviest)
      const rows = Math.min(partRowsMax, Math.max(1, Math.floor(partBytesMax / (Number(bytes) || 1))))
      yield* inParts(portions(select, rows))
    },
    close: async () => {
      await client.unsafe('rollback').catch(() => {})
      client.release()
      await pool.close()
    },
  }
}
