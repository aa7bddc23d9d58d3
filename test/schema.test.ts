import { expect, test } from 'bun:test'
import { resources } from '../src/resources/index.ts'
import type { Database } from '../src/store/database.ts'
import { openDatabase } from '../src/store/open.ts'
import { tableScript } from '../src/store/schema.ts'
import { keyword, type Sql, sql } from '../src/store/sql.ts'
import { engines, onEachEngine } from './support/engines.ts'

/** What the engine itself says of a table: columns, constraints and indexes. */
const catalogue: Record<Database['dialect']['name'], (table: string) => Sql[]> = {
  sqlite: (table) => [
    sql`select * from pragma_table_xinfo(${table})`,
    sql`select * from pragma_foreign_key_list(${table}) order by id, seq`,
    sql`select i.name, i."unique", c.seqno, c.name from pragma_index_list(${table}) i, pragma_index_xinfo(i.name) c where i.name not like 'sqlite_%' order by 1, 3`,
    sql`select type, wr, strict from pragma_table_list(${table})`,
    sql`select replace(sql, char(10), '') from sqlite_schema where name = ${table}`,
  ],
  postgres: (table) => [
    sql`select column_name, data_type, is_nullable, collation_name, column_default from information_schema.columns where table_name = ${table} order by ordinal_position`,
    sql`select conname::text, pg_get_constraintdef(oid) from pg_constraint where conrelid = ${table}::text::regclass order by 1`,
    sql`select indexdef from pg_indexes where tablename = ${table} order by 1`,
  ],
}

onEachEngine('migrations', (world, engine) => {
  test('lead to the tables that the definitions ask for', async () => {
    const place = await (engines.find(({ name }) => name === engine.name) ?? engine).makePlace()
    const fresh = openDatabase({ databaseUrl: place.url, connectionsMax: 1, statementTimeoutMs: 5000 })
    const company =
      engine.name === 'sqlite'
        ? 'create table company (id text primary key)'
        : 'create table company (id uuid primary key)'
    await fresh.migrate({ number: 1, name: 'company', script: company })
    for (const [at, resource] of resources.entries()) {
      await fresh.migrate({ number: at + 2, name: resource.name, script: tableScript(resource, engine.name) })
    }
    for (const { name } of resources) {
      for (const question of catalogue[engine.name](name)) {
        expect(await world.db.read(question)).toEqual(await fresh.read(question))
      }
    }
    await fresh.close()
    await place.remove()
  })

  test('put the company first in the primary key and in every index of a resource', async () => {
    const [keys] = catalogue[engine.name]('project').slice(-1)
    const text = JSON.stringify(await world.db.read(keys ?? keyword('select 1')))
    expect(text.match(/primary key \(company_id|USING btree \(company_id/g)?.length).toBeGreaterThan(0)
    expect(text).not.toMatch(/USING btree \((?!company_id)/)
  })

  test('run once', async () => {
    const again = await world.db.migrate({ number: 1, name: 'start', script: 'this would fail' })
    expect(again).toBe(false)
  })
})
