import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { type Recorded, recording } from '../support/recording.ts'
import { inTime, World } from '../support/world.ts'

const sent: Recorded[] = []
const world = new World({}, (db) => recording(db, (statement) => sent.push(statement)))
const [sqlite] = engines

beforeAll(async () => {
  if (sqlite) await world.open(sqlite)
}, 60_000)
afterAll(() => world.close())

test('a long write goes through its rows once, and not again for each part of them', async () => {
  const rows = Array.from({ length: 3000 }, () => ({ bid_id: world.acme.bid, project_name: 'many' }))
  const create = () => world.acme.post('/project', rows, { Prefer: 'return=minimal' })
  expect((await inTime(create)).status).toBe(201)
  const change = () => {
    sent.length = 0
    return world.acme.patch('/project?project_name=eq.many', { project_name: 'more' })
  }
  expect((await inTime(change)).status).toBe(204)
  const looks = sent.filter(({ text }) => text.startsWith('select') && text.includes('from temp.chosen'))
  // One for the first rows, and one for each part that follows, of which the last has nothing.
  expect(looks).toHaveLength(7)
  for (const { text, values } of looks.slice(1)) {
    const steps = planOf(text, values as string[])
    expect(steps[0]).toContain('chosen USING PRIMARY KEY (key>?)')
    expect(steps[1]).toContain('SEARCH project USING')
    expect(steps).toHaveLength(2)
  }
})

function planOf(text: string, values: readonly string[]): string[] {
  using engine = new Database(world.databaseUrl, { readonly: true })
  engine.run('create temp table chosen (key text primary key) without rowid')
  const steps = engine.query(`explain query plan ${text}`).all(...values) as { readonly detail: string }[]
  return steps.map(({ detail }) => detail)
}
