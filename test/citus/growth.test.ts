import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { createCompany } from '../../src/people/companies.ts'
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import { keyword } from '../../src/store/sql.ts'
import { makeDistributedPlace, makeEmptyPlace, query } from '../support/citus.ts'
import { runHere } from '../support/command.ts'
import type { Place } from '../support/engines.ts'
import { endAll, type Service, startService } from '../support/service.ts'
import { replyOf } from '../support/world.ts'
import { companyOnEachNode, create, furnish, type Placed } from './support.ts'

const ends = new AsyncDisposableStack()
afterEach(endAll)
afterAll(() => ends.disposeAsync())

describe('under load, without an error or a lost row,', () => {
  test('shards move from one node to another, and back', async () => {
    await using scene = await openScene(await makeDistributedPlace(), companyOnEachNode)
    const [one, other] = scene.placed as [Placed, Placed]
    for (const [from, to] of [
      [one.port, other.port],
      [other.port, one.port],
    ] as const) {
      await query(
        scene.url.replace('?citus=true', ''),
        `select citus_move_shard_placement(get_shard_id_for_distribution_column('bid', '${one.id}'::uuid),
           '127.0.0.1', ${from}, '127.0.0.1', ${to}, 'force_logical')`,
      )
      await scene.untilCreated(200)
    }
    expect(await scene.finish()).toEqual({ statuses: [201], lost: [], unseen: [], foreign: [] })
  }, 300_000)

  test('companies are isolated, one after the other', async () => {
    await using scene = await openScene(await makeDistributedPlace(), companyOnEachNode)
    for (const { id } of scene.placed) {
      const { exitCode, stderr } = await runHere(['cluster', 'isolate', id], { DATABASE_URL: scene.url })
      expect([exitCode, stderr]).toEqual([0, ''])
      await scene.untilCreated(200)
    }
    expect(await scene.finish()).toEqual({ statuses: [201], lost: [], unseen: [], foreign: [] })
  }, 300_000)
})

test('tables that are served are distributed, and what was acknowledged is there', async () => {
  await using scene = await openScene(await makeEmptyPlace(), async (db) => [
    await furnish(db, (await createCompany(db, 'Acme')).id, 0),
  ])
  const { exitCode, stderr } = await runHere(['cluster', 'distribute', '--shards', '4'], { DATABASE_URL: scene.url })
  expect([exitCode, stderr]).toEqual([0, ''])
  await scene.untilCreated(200)
  expect((await scene.finish()).lost).toEqual([])
}, 300_000)

/** A service with clients that create without a pause, and read what they have created: so often that nodes keep the plan of it. */
async function openScene(place: Place, makeCompanies: (db: Database) => Promise<Placed[]>) {
  const own = new AsyncDisposableStack()
  own.defer(() => place.remove())
  const db = openDatabase(readConfig({ DATABASE_URL: place.url }, false))
  own.defer(() => db.close())
  await migrate(db)
  const placed = await makeCompanies(db)
  const service = await startService({ DATABASE_URL: place.url, LOG: 'off' })
  const load = startLoad(service, placed)
  await load.untilCreated(200)
  return {
    url: place.url,
    placed,
    untilCreated: load.untilCreated,
    finish: async () => {
      await load.stop()
      await service.stop()
      const stored = new Set((await db.read(keyword('select id from project'))).flat())
      const { statuses, created, unseen, foreign } = load
      return { statuses: [...statuses], lost: created.filter((id) => !stored.has(id)), unseen, foreign }
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  }
}

function startLoad({ base }: Service, placed: readonly Placed[]) {
  const statuses = new Set<number>()
  const created: string[] = []
  /** Created, and not found afterwards; found by another company. */
  const unseen: string[] = []
  const foreign: string[] = []
  let isStopped = false
  const clients = placed.flatMap((one) => [1, 2, 3, 4].map((client) => createAll(one, client)))
  async function createAll(one: Placed, client: number): Promise<void> {
    for (let turn = 0; !isStopped; turn += 1) {
      const answer = await create(base, one, `Load ${client} ${turn}`)
      const { status, json } = await replyOf(answer)
      statuses.add(status)
      if (status !== 201) continue
      const { id } = json[0]
      created.push(id)
      for (const reader of placed)
        if ((await sees(reader, id)) !== (reader === one)) (reader === one ? unseen : foreign).push(id)
    }
  }
  async function sees({ headers }: Placed, id: string): Promise<boolean> {
    const { json } = await replyOf(await fetch(`${base}/rest/v1/project?select=id&id=eq.${id}`, { headers }))
    return Array.isArray(json) && json.length === 1
  }
  return {
    ...{ statuses, created, unseen, foreign },
    untilCreated: async (more: number): Promise<void> => {
      const wanted = created.length + more
      while (created.length < wanted) await Bun.sleep(5)
    },
    stop: async () => {
      isStopped = true
      await Promise.all(clients)
    },
  }
}
