import { afterAll, beforeAll, expect, test } from 'bun:test'
import { migrations } from '../../migrations/index.ts'
import { companyTables, coordinatorTables, distributedTables, referenceTables } from '../../src/store/cluster/layout.ts'
import { keyword } from '../../src/store/sql.ts'
import { distributed } from '../support/engines.ts'
import { World } from '../support/world.ts'

const world = new World({})
beforeAll(() => world.open(distributed), 300_000)
afterAll(() => world.close())

const isDistributed = (table: unknown): boolean => distributedTables.some((name) => name === table)

test('every table has its place in a cluster', async () => {
  const rows = await world.db.read(keyword('select tablename::text from pg_tables where schemaname = current_schema()'))
  const placed = [...distributedTables, ...Object.keys(referenceTables), ...Object.keys(coordinatorTables)]
  expect(rows.flat().sort()).toEqual(placed.sort())
})

test('a migration of a database that is distributed already spreads its new tables, but for those of the first release', () => {
  const spread = migrations.flatMap(({ postgres }) =>
    [...postgres.matchAll(/^-- distribute: (\w+)$/gm)].map(([, name]) => name),
  )
  const first = ['bid', 'project', 'audit_event', 'credential_usage', 'credential_last_use', 'idempotency']
  expect([...first, ...spread].sort()).toEqual([...distributedTables].sort())
})

test('the tables of companies are those of which every row has one', async () => {
  const rows = await world.db.read(
    keyword(`select c.relname::text from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attname = 'company_id' and a.attnotnull`),
  )
  expect(rows.flat().sort()).toEqual([...companyTables].sort())
})

test('the company leads every index of a distributed table', async () => {
  const rows = await world.db.read(
    keyword(`select t.relname::text, i.relname::text, a.attname::text from pg_index x
      join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where t.relnamespace = current_schema()::regnamespace`),
  )
  const own = rows.filter(([table]) => isDistributed(table))
  expect(own.length).toBeGreaterThanOrEqual(distributedTables.length)
  expect(own.filter(([, , column]) => column !== 'company_id')).toEqual([])
})

test('no foreign key leads to a distributed table but from another one, and by the company', async () => {
  const rows = await world.db.read(
    keyword(`select f.conrelid::regclass::text, f.confrelid::regclass::text, a.attname::text, b.attname::text from pg_constraint f
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
      where f.contype = 'f' and f.connamespace = current_schema()::regnamespace`),
  )
  const inner = rows.filter(([, to]) => isDistributed(to))
  expect(inner).toEqual([['project', 'bid', 'company_id', 'company_id']])
})

test('there are no triggers, functions, sequences, rules or defaults that are worked out', async () => {
  const rows = await world.db.read(
    keyword(`select 'trigger ' || tgname from pg_trigger where not tgisinternal
      union all select 'function ' || proname from pg_proc where pronamespace = current_schema()::regnamespace
      union all select 'sequence ' || relname from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace
      union all select 'rule ' || rulename from pg_rules where schemaname = current_schema()
      union all select 'default of ' || adrelid::regclass from pg_attrdef where pg_get_expr(adbin, adrelid) !~ '^(''[^'']*''|[0-9.]+|true|false)(::[a-z ]+)?$'`),
  )
  expect(rows.flat()).toEqual([])
})

test('no foreign key leads from a distributed table to one that is on the coordinator alone', async () => {
  const rows = await world.db.read(
    keyword(`select conrelid::regclass::text, confrelid::regclass::text from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace`),
  )
  const elsewhere = (table: unknown) => isDistributed(table) || String(table) in referenceTables
  expect(rows.filter(([from, to]) => elsewhere(from) && String(to) in coordinatorTables)).toEqual([])
})
