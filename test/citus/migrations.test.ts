import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeDistributedPlace, query } from '../support/citus.ts'
import { World } from '../support/world.ts'

const world = new World({})
beforeAll(() => world.open({ name: 'postgres', makePlace: makeDistributedPlace }), 300_000)
afterAll(() => world.close())

test('a migration makes a table that refers to projects, and spreads it over the nodes', async () => {
  const script = `create table note (
      company_id uuid not null references company (id), id uuid not null, project_id uuid not null, primary key (company_id, id)
    );
-- distribute: note
    alter table note add constraint note_project_id_fkey foreign key (company_id, project_id) references project (company_id, id);`
  expect(await world.db.migrate({ number: 9001, name: 'note', script })).toBe(true)
  expect(await world.db.migrate({ number: 9001, name: 'note', script })).toBe(false)
  const url = world.databaseUrl.replace('?citus=true', '')
  expect(
    await query(
      url,
      "select colocation_id = (select colocation_id from citus_tables where table_name = 'bid'::regclass) from citus_tables where table_name = 'note'::regclass",
    ),
  ).toEqual([[true]])
  const { acme, rival } = world
  await query(url, `insert into note values ('${acme.id}', '${acme.id}', '${acme.project}')`)
  const foreign = query(url, `insert into note values ('${rival.id}', '${rival.id}', '${acme.project}')`)
  await expect(foreign).rejects.toThrow('note_project_id_fkey')
})

test('a migration changes tables of companies and then what they refer to', async () => {
  const script = `alter table bid add column place text;
    alter table project add column place text;
    alter table company add column place text;
    create index project_by_place on project (company_id, place);`
  expect(await world.db.migrate({ number: 9002, name: 'place', script })).toBe(true)
  expect((await world.acme.get('/project')).status).toBe(200)
})
