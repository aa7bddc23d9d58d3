import { expect, test } from 'bun:test'
import { migrations } from '../migrations/index.ts'
import { resources } from '../src/resources/index.ts'
import { distributedTables } from '../src/store/cluster/layout.ts'
import type { Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import { tableScript } from '../src/store/schema.ts'
import { type Sql, sql } from '../src/store/sql.ts'
import { engines, onEachEngine } from './support/engines.ts'

/** What the engine itself says of a table: columns, constraints and indexes. A column that was added later comes last, whatever its definition says. */
const catalogue: Record<Database['dialect']['name'], (table: string) => Sql[]> = {
  sqlite: (table) => [
    sql`select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(${table}) order by name`,
    sql`select "table", "from", "to", seq, on_update, on_delete, "match" from pragma_foreign_key_list(${table}) order by 1, 2, 3, 4`,
    sql`select i.name, i."unique", c.seqno, c.name from pragma_index_list(${table}) i, pragma_index_xinfo(i.name) c where i.name not like 'sqlite_%' order by 1, 3`,
    sql`select type, wr, strict from pragma_table_list(${table})`,
  ],
  postgres: (table) => [
    sql`select column_name, data_type, is_nullable, collation_name, column_default from information_schema.columns where table_name = ${table} order by column_name`,
    sql`select conname::text, pg_get_constraintdef(oid) from pg_constraint where conrelid = ${table}::text::regclass order by 1`,
    sql`select indexdef from pg_indexes where tablename = ${table} order by 1`,
  ],
}

/** The column with which each index begins, that of the primary key included. */
const firstColumns: Record<Database['dialect']['name'], (table: string) => Sql> = {
  sqlite: (table) =>
    sql`select c.name from pragma_index_list(${table}) i, pragma_index_info(i.name) c where c.seqno = 0
        union all select name from pragma_table_info(${table}) where pk = 1`,
  postgres: (table) =>
    sql`select a.attname::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = ${table}::text::regclass`,
}

/** SQLite tells the checks of a table nowhere but in the text that made it, which `alter table` may have changed elsewhere. */
async function checksOf(db: Database, table: string): Promise<string[]> {
  const [[text] = []] = await db.read(sql`select sql from sqlite_schema where name = ${table}`)
  return constraintsIn(String(text)).sort()
}

/** `constraint a check (length(a) > 1), b text constraint b check (b)` → the two constraints */
const constraintsIn = (text: string): string[] =>
  text.match(/constraint \w+ check \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g) ?? []

test('constraints of a column that was added later are found one by one', () => {
  expect(constraintsIn('a text, constraint a check (length(trim(a)) > 1), b text constraint b check (b > 1))')).toEqual(
    ['constraint a check (length(trim(a)) > 1)', 'constraint b check (b > 1)'],
  )
})

onEachEngine('migrations', (world, engine) => {
  test('lead to the tables that the definitions ask for', async () => {
    const place = await (engines.find(({ name }) => name === engine.name) ?? engine).makePlace()
    const fresh = openDatabase({ databaseUrl: place.url, connectionsMax: 1, statementTimeoutMs: 5000, queueMax: 10 })
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
      if (engine.name === 'sqlite') expect(await checksOf(world.db, name)).toEqual(await checksOf(fresh, name))
    }
    await fresh.close()
    await place.remove()
  })

  test.each(resources.map(({ name }) => name))('put the company first in every key and index of %s', async (name) => {
    const first = (await world.db.read(firstColumns[engine.name](name))).flat()
    expect(first.length).toBeGreaterThan(0)
    expect(first.filter((column) => column !== 'company_id')).toEqual([])
  })

  test('give every secret of an older installation an id of its own', async () => {
    const place = await engine.makePlace()
    const old = openDatabase({ databaseUrl: place.url, connectionsMax: 1, statementTimeoutMs: 5000, queueMax: 10 })
    const [start] = migrations
    await old.migrate({ ...start, script: start[engine.name] })
    const [company, credential, now] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), '2026-01-01T00:00:00+00:00']
    await old.transact([
      sql`insert into company (id, name, created_at) values (${company}, 'Old', ${now})`,
      sql`insert into credential (id, company_id, name, api_key, access, created_at)
          values (${credential}, ${company}, 'old', 'pak_old', 'read', ${now})`,
      sql`insert into credential_secret (credential_id, digest, created_at)
          values (${credential}, 'one', ${now}), (${credential}, 'two', ${now})`,
    ])
    await migrate(old)
    const rows = await old.read(sql`select digest, id from credential_secret order by digest`)
    expect(rows.map(([digest]) => digest)).toEqual(['one', 'two'])
    const ids = rows.map(([, id]) => String(id))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(2)
    await old.close()
    await place.remove()
  })

  test('run once', async () => {
    const again = await world.db.migrate({ number: 1, name: 'start', script: 'this would fail' })
    expect(again).toBe(false)
  })
})

// Without a word about it, SQLite would read every project of the company.
test('the projects of a bid are found by their index, and all others by the primary key (sqlite)', async () => {
  const place = await engines[0]?.makePlace()
  if (!place) throw new Error('There is no engine')
  const make = () => openDatabase({ databaseUrl: place.url, connectionsMax: 1, statementTimeoutMs: 5000, queueMax: 10 })
  const first = make()
  await migrate(first)
  const second = make()
  const questions = [
    sql`explain query plan select id from project where company_id = 'c' and bid_id = 'b' order by created_at desc limit 20`,
    sql`explain query plan select project_name from project where company_id = 'c' and bid_id = 'b' order by id limit 20`,
    sql`explain query plan select project_name from project where company_id = 'c' order by id limit 20`,
    sql`explain query plan select project_name from project where company_id = 'c' and id = 'i' and bid_id = 'b'`,
  ]
  for (const db of [first, second]) {
    const plans = await Promise.all(questions.map(async (question) => String((await db.read(question))[0]?.[3])))
    expect(plans).toEqual([
      'SEARCH project USING INDEX project_by_bid_id (company_id=? AND bid_id=?)',
      'SEARCH project USING INDEX project_by_bid_id (company_id=? AND bid_id=?)',
      'SEARCH project USING PRIMARY KEY (company_id=?)',
      'SEARCH project USING PRIMARY KEY (company_id=? AND id=?)',
    ])
    await db.close()
  }
  await place.remove()
})

// By what companies have on average, it would read all of a large one where one row is asked for.
test('every table of a company’s own says how large a company to plan for (postgres)', async () => {
  const place = await engines.find(({ name }) => name === 'postgres')?.makePlace()
  if (!place) throw new Error('There is no engine')
  const db = openDatabase({ databaseUrl: place.url, connectionsMax: 1, statementTimeoutMs: 5000, queueMax: 10 })
  await migrate(db)
  const rows = await db.read(
    sql`select attrelid::regclass::text from pg_attribute where attname = 'company_id' and attoptions = '{n_distinct=5}'`,
  )
  expect(rows.flat().toSorted()).toEqual([...distributedTables].toSorted())
  await db.close()
  await place.remove()
})
