import { expect, test } from 'bun:test'
import { loadModule, parseSync } from 'libpg-query'
import { migrations } from '../../migrations/index.ts'
import { partsOf } from '../../src/store/postgres/postgres-migration.ts'

await loadModule()
const countOf = (text: string): number => parseSync(text).stmts?.length ?? 0

const script = `create table note (id uuid);
-- distribute: note
alter table note add foreign key (id) references project (id);
`

test('a table of a migration is distributed where its line says so', () => {
  expect(partsOf(script, true)).toEqual([
    'create table note (id uuid);',
    "select create_distributed_table('note', 'company_id', colocate_with => 'bid')",
    'alter table note add foreign key (id) references project (id);',
  ])
})

test('the line is a comment where nothing is distributed', () => {
  expect(partsOf(script, false)).toEqual([script])
})

test('statements are sent one by one to a cluster, whatever they hold', () => {
  const block = 'do $$\nbegin\n  perform 1;\n  perform 2;\nend $$;'
  const table = "-- Why.\ncreate table note (\n  id uuid default 'a;b'\n);"
  expect(partsOf(`${block}\n${table}\n\nselect 1;\n-- The end.\n`, true)).toEqual([block, table, 'select 1;'])
})

test('the migrations themselves are taken apart into statements that are whole', async () => {
  for (const { postgres } of migrations) {
    const statements = partsOf(postgres, true)
    expect(statements.every((statement) => countOf(statement) === 1)).toBe(true)
    const distributed = postgres.match(/^-- distribute: /gm)?.length ?? 0
    expect(statements.length).toBe(countOf(postgres) + distributed)
  }
})
