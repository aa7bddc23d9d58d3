import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import { runHere } from '../support/command.ts'
import { engines, onEachEngine, type Place } from '../support/engines.ts'
import { endAll, startCli, until } from '../support/service.ts'
import { connectionTimeout } from '../support/until-connected.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const projects = 15_000

onEachEngine('a copy that is killed', (world, engine) => {
  const places: Place[] = []
  // The other engine: it is what copies are made for.
  const other = engines.find(({ name }) => name !== engine.name) ?? engine
  beforeAll(async () => {
    const names = Array.from({ length: projects / 3 }, (_, at) => `Project ${at} – Brücke`)
    for (let turn = 0; turn < 3; turn += 1) await world.acme.seed(names)
    // Nothing may change the source between a copy and its resumption: no new numbers of events, and no counts.
    await until(async () => (await world.db.read(sql`select 1 from event_inbox limit 1`)).length === 0)
    await world.usage.stop()
    await world.requestLog.stop()
  }, 300_000)
  afterAll(async () => {
    for (const place of places) await place.remove()
  })

  const copy = (to: string, ...more: string[]) => ended(['copy', '--to', to, ...more], world.databaseUrl)

  /** A copy into a new database, ended by kill -9 when some of its projects were there. One that was too quick does not count. */
  async function killed(): Promise<string> {
    for (;;) {
      const place = await other.makePlace()
      places.push(place)
      const child = startCli(['copy', '--to', place.url], { DATABASE_URL: world.databaseUrl })
      const db = open(place.url)
      let hasEnded = false
      void child.ended.then(() => {
        hasEnded = true
      })
      await until(async () => hasEnded || (await countOf(db)) > 0)
      child.kill('SIGKILL')
      const exitCode = await child.ended
      const count = await countOf(db)
      await db.close()
      if (count > 0 && count < projects) return place.url
      // It ends by itself where PostgreSQL stands still, too.
      if (exitCode === 1 && !child.stderr.includes(connectionTimeout)) throw new Error(child.stderr)
    }
  }

  test('is not served, nor begun anew, and complete once it was resumed', async () => {
    const url = await killed()
    const refused = await ended(['company', 'list'], url)
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('was begun and not finished')])
    const anew = await copy(url)
    expect([anew.exitCode, anew.stderr]).toEqual([1, expect.stringContaining('Add --resume')])
    const resumed = await copy(url, '--resume', '--json')
    expect([resumed.exitCode, resumed.stderr]).toEqual([0, ''])
    expect(JSON.parse(resumed.stdout).tables).toContainEqual({
      table: 'project',
      rows: projects + 2,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await ended(['company', 'list'], url)).toMatchObject({ exitCode: 0 })
  })

  test('and in which a row was changed meanwhile is found out, and stays unfinished', async () => {
    const url = await killed()
    const db = open(url)
    const [[id = ''] = []] = await db.read(sql`select id from project order by company_id, id limit 1`)
    await db.transact([sql`update project set project_name = 'Project 0 - Brücke' where id = ${id}`])
    await db.close()
    const { exitCode, stderr } = await copy(url, '--resume')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('in project: at least one of its rows differs')])
    expect(await ended(['company', 'list'], url)).toMatchObject({ exitCode: 1 })
  })

  test('and whose source lost a row meanwhile is found out', async () => {
    const url = await killed()
    const db = open(url)
    const [[id = ''] = []] = await db.read(sql`select id from project order by company_id, id limit 1`)
    await db.close()
    // Not by a request: that adds an event, which would be found first.
    await world.db.transact([sql`delete from project where id = ${id}`])
    const { exitCode, stderr } = await copy(url, '--resume')
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/in project: it has 15,002 rows instead of 15,001 rows/),
    ])
  })
})

const open = (url: string): Database => openDatabase(readConfig({ DATABASE_URL: url }, false))

/** 0 as long as the table is not there. */
async function countOf(db: Database): Promise<number> {
  const read = async () => db.read(sql`select cast(count(*) as text) from project`)
  const [[count] = []] = await read().catch(() => [])
  return Number(count ?? 0)
}

const ended = (args: readonly string[], DATABASE_URL: string) => runHere(args, { DATABASE_URL })
