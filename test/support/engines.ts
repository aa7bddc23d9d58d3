import { afterAll, beforeAll, describe } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { makeDistributedPlace, makeEmptyPlace, removeTemplate } from './citus.ts'
import { createTables } from './database.ts'
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { untilConnected } from './until-connected.ts'
import { World, type WorldSettings } from './world.ts'

/** A new database. */
export interface Place {
  readonly url: string
  remove(): Promise<void>
}

export interface TestEngine {
  readonly name: 'sqlite' | 'postgres'
  /** An empty one. */
  makePlace(): Promise<Place>
  /** One without any table, where the others have some. */
  makeEmpty?(): Promise<Place>
  /** One that has its tables already, where that is the quicker way to them. */
  makeTables?(): Promise<Place>
}

const sqlite: TestEngine = {
  name: 'sqlite',
  makePlace: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'project-api-'))
    return { url: join(folder, 'test.db'), remove: async () => rmSync(folder, { recursive: true, force: true }) }
  },
}

/** Whether everything on PostgreSQL should run on the cluster of `CITUS_URL`: `npm run test:citus`. */
const isCluster = process.env.TEST_CITUS === 'on'

const postgres = {
  name: 'postgres',
  makePlace: () => (isCluster ? makeDistributedPlace() : copyDatabase('template0')),
  ...(isCluster ? { makeEmpty: makeEmptyPlace } : {}),
  makeTables: async () => (isCluster ? makeDistributedPlace() : copyDatabase(await templateName())),
} as const satisfies TestEngine

async function copyDatabase(template: string): Promise<Place> {
  const base = await serverUrl()
  const name = `test_${Bun.randomUUIDv7().replaceAll('-', '')}`
  await administer(base, `create database ${name} template ${template}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  // The first connection to a new database is the slowest, and a service waits for it for a few seconds only.
  await administer(url.href, 'select 1')
  const remove = () => administer(base, `drop database ${name} with (force)`)
  return { url: isBounced ? (await pgbouncer(base)).through(url.href) : url.href, remove }
}

let template: Promise<Place> | null = null

/** Of a database with all tables. To copy it takes a tenth of the work that the statements of its tables are. */
async function templateName(): Promise<string> {
  if (process.env.TEST_TEMPLATE) return process.env.TEST_TEMPLATE
  template ??= makeTemplate()
  return databaseOf(await template)
}

const databaseOf = ({ url }: Place): string => new URL(url).pathname.slice(1)

async function makeTemplate(): Promise<Place> {
  const place = await copyDatabase('template0')
  await createTables(place.url)
  return place
}

/** The variables by which the parts of a run share one server of PostgreSQL, and the tables there. */
export async function shareServer(): Promise<Readonly<Record<string, string>>> {
  const TEST_TEMPLATE = await templateName()
  return { TEST_DATABASE_URL: await serverUrl(), TEST_TEMPLATE }
}

export const engines: readonly TestEngine[] = [sqlite, postgres]

/** `TEST_ENGINE` leaves the other engine out. */
const tested = engines.filter(({ name }) => name === (process.env.TEST_ENGINE ?? name))

/** PostgreSQL, spoken to as if it were a Citus cluster: it understands that as well. */
export const distributed: TestEngine = {
  name: 'postgres',
  makePlace: () => postgres.makePlace().then(asCluster),
  makeTables: () => postgres.makeTables().then(asCluster),
}

function asCluster(place: Place): Place {
  const url = new URL(place.url)
  url.searchParams.set('citus', 'true')
  return { ...place, url: url.href }
}

/** The same tests for each engine, each with a world of its own: two companies behind a listening server. */
export function onEachEngine(
  name: string,
  define: (world: World, engine: TestEngine) => void,
  settings: WorldSettings = {},
): void {
  for (const engine of tested) {
    describe(`${name} (${engine.name})`, () => {
      const world = new World(settings)
      beforeAll(() => world.open(engine), 300_000)
      afterAll(() => world.close())
      define(world, engine)
    })
  }
}

/** Whether everything on PostgreSQL should go through PgBouncer in transaction mode: `npm run test:pgbouncer`. */
const isBounced = process.env.TEST_PGBOUNCER === 'on'

let server: Promise<PostgresServer> | null = null
let bouncer: Promise<Pgbouncer> | null = null

/** Of the server that the environment names, or of one that is started for this run and ends with it. */
async function serverUrl(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  server ??= startPostgres()
  return (await server).url
}

/** The one before that server. */
function pgbouncer(serverUrl: string): Promise<Pgbouncer> {
  bouncer ??= startPgbouncer(serverUrl)
  return bouncer
}

/** Ends what was started for this run. */
export async function stopServer(): Promise<void> {
  await (await template)?.remove()
  await (await bouncer)?.stop()
  await (await server)?.stop()
  await removeTemplate()
}

const administer = (url: string, statement: string): Promise<void> =>
  untilConnected(async () => {
    await using client = new SQL(url, { max: 1 })
    await client.unsafe(statement)
  })
