import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { postgresConnection } from '../src/store/postgres/postgres-connection.ts'
import { join, Sql, sql } from '../src/store/sql.ts'
import { engines, type TestEngine } from './support/engines.ts'
import { type Recorded, recording } from './support/recording.ts'
import { World } from './support/world.ts'

interface Expected {
  readonly path: string
  /** What is read for it, in the order of the alphabet: by which index of a table, and by which columns of it. */
  readonly reads: readonly string[]
  /** Where it goes about it in another way. */
  readonly sqlite?: readonly string[]
}

const list: readonly Expected[] = [
  { path: '/project?limit=20', reads: ['project key: company_id'] },
  { path: '/project?order=id.desc&limit=20', reads: ['project key: company_id'] },
  { path: '/project?order=created_at.desc&limit=20', reads: ['project key: company_id'] },
  { path: '/project?project_name=eq.Any&limit=20', reads: ['project key: company_id'] },
  { path: '/project?id=eq.ID', reads: ['project key: company_id, id'] },
  { path: '/project?id=gt.ID&limit=20', reads: ['project key: company_id, id'] },
  { path: '/project?id=in.(ID,OTHER)', reads: ['project key: company_id, id'] },
  { path: '/project?or=(id.eq.ID,id.eq.OTHER)', reads: ['project key: company_id, id'] },
  { path: '/project?bid_id=eq.BID&limit=20', reads: ['project by bid_id: company_id, bid_id'] },
  { path: '/project?bid_id=eq.BID&order=created_at&limit=20', reads: ['project by bid_id: company_id, bid_id'] },
  { path: '/project?bid_id=in.(BID,OTHER)&limit=20', reads: ['project by bid_id: company_id, bid_id'] },
  { path: '/project?select=id,bid(bid_name)&limit=20', reads: ['bid key: company_id, id', 'project key: company_id'] },
  {
    path: '/project?select=id,bid!inner(bid_name)&bid.bid_name=eq.Any&limit=20',
    reads: ['bid key: company_id', 'bid key: company_id, id', 'project by bid_id: company_id, bid_id'],
    sqlite: ['bid key: company_id, id', 'project key: company_id'],
  },
  {
    path: '/bid?select=id,project(id)&limit=20',
    reads: ['bid key: company_id', 'project by bid_id: company_id, bid_id'],
  },
]

// A plan serves companies of every size. By what they have on average, PostgreSQL would read all of a large one for some of these.
for (const engine of engines) {
  for (const smallOnes of [10_000, 0]) {
    describe(`a large company beside ${smallOnes} small ones is read by its index (${engine.name})`, () => {
      const sent: Recorded[] = []
      const world = new World({}, (db) => recording(db, (statement) => sent.push(statement)))
      beforeAll(async () => {
        await world.open(engine)
        await fill(world, smallOnes)
      }, 300_000)
      afterAll(() => world.close())

      for (const { path, reads, sqlite = reads } of list) {
        test(path, async () => {
          sent.length = 0
          const { bid, project } = world.acme
          const asked = path.replaceAll('OTHER', world.rival.project).replaceAll('BID', bid).replaceAll('ID', project)
          expect((await world.acme.get(asked)).status).toBe(200)
          const statement = sent.find(({ text }) => /from "(project|bid)"/.test(text))
          if (!statement) throw new Error('Nothing was read')
          const found = await readsOf[engine.name](world, statement)
          expect([...new Set(found)].toSorted()).toEqual([...(engine.name === 'sqlite' ? sqlite : reads)])
        })
      }
    })
  }
}

async function fill({ acme, db }: World, smallOnes: number): Promise<void> {
  const { json } = await acme.post(
    '/bid',
    Array.from({ length: 250 }, (_, at) => ({ bid_name: `Bid ${at}` })),
  )
  const ids = json.flatMap(({ id }: { id: string }) => Array.from({ length: 20 }, () => id))
  await acme.post(
    '/project',
    ids.map((bid_id: string, at: number) => ({ bid_id, project_name: `Project ${at}` })),
  )
  if (smallOnes > 0) await db.transact(insertSmall(smallOnes))
  if (db.dialect.name === 'postgres') await db.transact([sql`analyze`])
}

/** Companies with one bid and one project each. */
function insertSmall(count: number): Sql[] {
  const rows = Array.from({ length: count }, () => sql`(${Bun.randomUUIDv7()}, 'Small', '2026-01-01T00:00:00+00:00')`)
  return [
    sql`insert into company (id, name, created_at) values ${join(rows, ', ')}`,
    sql`insert into bid (company_id, id, bid_name, created_at, updated_at)
        select id, id, 'Bid', created_at, created_at from company where name = 'Small'`,
    sql`insert into project (company_id, id, bid_id, project_name, created_at, updated_at)
        select id, id, id, 'Project', created_at, created_at from company where name = 'Small'`,
  ]
}

/** What the engine would read for a statement, in words that are the same for both. */
const readsOf: Readonly<Record<TestEngine['name'], (world: World, statement: Recorded) => Promise<string[]>>> = {
  sqlite: async ({ db }, { text, values }) => {
    const rows = await db.read(new Sql(`explain query plan ${text}`.split('?'), values))
    const lines = rows.map((row) => String(row[3]))
    const isTable = (name: string) => /^(project|bid)(_\d)?$/.test(name) && !lines.includes(`CO-ROUTINE ${name}`)
    return lines.flatMap((line) => {
      const [, table = '', index, columns] = /^SEARCH (\w+) USING (?:COVERING )?(.*) \((.*)\)/.exec(line) ?? []
      if (table !== '') return shown(table, index, columns)
      const [, scanned = ''] = /^SCAN (\w+)/.exec(line) ?? []
      return isTable(scanned) ? shown(scanned) : []
    })
  },
  postgres: async ({ databaseUrl }, { text, values }) => {
    await using client = new SQL({ ...postgresConnection({ url: databaseUrl, statementTimeoutMs: 5000 }), max: 1 })
    await client.unsafe(`prepare asked as ${text}`)
    const literals = values.map((value) => `'${value}'`).join(', ')
    const rows: string[][] = await client.unsafe(`explain execute asked(${literals})`).values()
    const scans = rows
      .flat()
      .join('\n')
      .matchAll(/(Seq|Index|Only) Scan(?: Backward)?(?: using (\w+))? on (\w+).*(?:\n +Index Cond: (.*))?/g)
    return [...scans].map(([, kind, index, on = '', columns]) =>
      kind === 'Seq' ? shown(on) : shown(on, index ?? on, columns),
    )
  },
}

/** `project key: company_id, id`, by the names of a table or its alias, an index, and the conditions on its columns. */
function shown(table: string, index = 'whole', conditions = ''): string {
  const name = index.replace(/.*(pkey|PRIMARY KEY)$/, 'key').replace(/.*_by_/, 'by ')
  const columns = [...conditions.matchAll(/(\w+) ?[=<>]/g)].map(([, column]) => column)
  return `${table.replace(/_.*/, '')} ${name}: ${columns.join(', ')}`
}
