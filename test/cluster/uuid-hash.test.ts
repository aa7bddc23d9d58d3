import { afterAll, beforeAll, expect, test } from 'bun:test'
import { uuidHash } from '../../src/store/cluster/uuid-hash.ts'
import { sql } from '../../src/store/sql.ts'
import { distributed } from '../support/engines.ts'
import { World } from '../support/world.ts'

const world = new World({})
beforeAll(() => world.open(distributed), 300_000)
afterAll(() => world.close())

test('the hash of a company is that of PostgreSQL, by which Citus finds its shard', async () => {
  const ids = [
    ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ...Array.from({ length: 100 }, () => crypto.randomUUID()),
  ]
  const rows = await world.db.read(
    sql`select id, uuid_hash(id::uuid) from unnest(${`{${ids}}`}::text::text[]) as given (id)`,
  )
  expect(ids.map((id) => [id, uuidHash(id)])).toEqual(rows.map(([id, hash]) => [String(id), Number(hash)]))
})
