import { Exchange } from '../src/exchange.ts'
import { createAuthenticate } from '../src/keys/authenticate.ts'
import { migrate } from '../src/store/migrate.ts'
import { type Inside, openInside } from './app.ts'
import { type Engine, makeDatabase, runScript } from './engine.ts'
import { addTenFields } from './fielded.ts'
import { median, type Spread, spreadOf } from './figures.ts'
import {
  bidId,
  companyScript,
  credentialScript,
  indexScript,
  projectId,
  projectScript,
  sameFieldsScript,
  settleScript,
} from './fill.ts'
import { type Company, makeCompany, withDatabase } from './place.ts'
import { measureIdle } from './start.ts'
import { indexedName, tenValues } from './ten-fields.ts'
import { takeTurns } from './turns.ts'

/** The quantities that grow. */
export interface Dimension {
  readonly name: 'projects' | 'companies' | 'credentials' | 'fielded-projects' | 'fielded-companies'
  readonly title: string
  readonly sizes: readonly number[]
  /** The companies have ten fields of their own, one of which is indexed. */
  readonly hasFields?: true
}

export const dimensions: readonly Dimension[] = [
  { name: 'projects', title: 'projects in the company', sizes: [1000, 10_000, 100_000, 1_000_000] },
  { name: 'companies', title: 'companies', sizes: [10, 100, 1000, 10_000, 100_000] },
  { name: 'credentials', title: 'credentials', sizes: [10, 100, 1000, 10_000, 100_000] },
  {
    ...{ name: 'fielded-projects', title: 'projects in a company with 10 own fields', hasFields: true },
    sizes: [1000, 10_000, 100_000, 1_000_000],
  },
  {
    ...{ name: 'fielded-companies', title: 'companies with 10 own fields each', hasFields: true },
    sizes: [10, 1000, 100_000],
  },
]

export interface Grown {
  readonly engine: Engine
  readonly dimension: Dimension['name']
  readonly sizes: readonly number[]
  readonly requests: readonly GrownRequest[]
  /** Memory of the service after a start, at each size, where companies have fields. */
  readonly idleMb?: readonly number[]
}

/** The time of a request at each size: in microseconds, one request at a time, without a port. */
interface GrownRequest {
  readonly name: string
  readonly medianUs: readonly number[]
  /** The time at the largest size divided by that at the smallest. */
  readonly ratio: Spread
  /** The upper limit of the ratio, for requests whose time should not depend on the size. */
  readonly target: number | null
}

const targets: Readonly<Record<string, number>> = {
  ...{ 'list 20': 1.3, 'get by id': 1.3, authenticate: 1.3, 'filter by an indexed field': 1.3 },
}
const rounds = 25
const turnMs = 40

/** One database for each size, measured alternately, because the machine's own speed varies more within a minute than the size matters. */
export async function measureGrowth(engine: Engine, dimension: Dimension, ends: AsyncDisposableStack): Promise<Grown> {
  await using opened = new AsyncDisposableStack()
  const asksBySize: Readonly<Record<string, Ask>>[] = []
  const idleMb: number[] = []
  for (const size of dimension.sizes) {
    const { databaseUrl, company } = await makeSized(engine, dimension, size, ends)
    if (dimension.hasFields) idleMb.push(await measureIdle({ databaseUrl }, ends))
    const inside = openInside(databaseUrl)
    opened.defer(inside.close)
    asksBySize.push(makeRequests(inside, company, dimension))
  }
  const requests: GrownRequest[] = []
  for (const name of Object.keys(asksBySize[0] ?? {})) {
    const turns = await takeTurns(
      asksBySize.flatMap((asks) => asks[name] ?? []),
      rounds,
      medianOf,
    )
    requests.push({
      name,
      medianUs: dimension.sizes.map((_, at) => median(turns.map((turn) => turn[at] ?? Number.NaN))),
      ratio: spreadOf(turns.map((turn) => (turn.at(-1) ?? Number.NaN) / (turn[0] ?? Number.NaN))),
      target: targets[name] ?? null,
    })
  }
  const { name, sizes, hasFields } = dimension
  return { engine, dimension: name, sizes, requests, ...(hasFields ? { idleMb } : {}) }
}

async function makeSized(engine: Engine, { name, hasFields }: Dimension, size: number, ends: AsyncDisposableStack) {
  const databaseUrl = await makeDatabase(engine, ends)
  const { company, fields } = await withDatabase(databaseUrl, async (db) => {
    await migrate(db)
    await runScript(databaseUrl, [
      'create table bare_credential (key_digest text, secret_digest text, company_id text)',
    ])
    const company = await makeCompany(db, databaseUrl, 'Measured')
    return { company, fields: hasFields ? await addTenFields(db, company.id, true) : null }
  })
  const span = { from: 0, to: size }
  const isOfProjects = name === 'projects' || name === 'fielded-projects'
  const own = { perBid: 20, ...(isOfProjects ? span : { from: 0, to: 1000 }) }
  await runScript(databaseUrl, [
    // 20 projects per bid, so that a filter by bid finds the same number at every size.
    ...projectScript(engine, company.id, fields ? { ...own, fieldsVersion: fields.version } : own),
    ...(fields ? indexScript(engine, company.id, fields.indexedId, own) : []),
    ...(name === 'companies' || name === 'fielded-companies' ? companyScript(engine, span) : []),
    ...(name === 'fielded-companies' ? sameFieldsScript(engine, company.id, span) : []),
    ...(name === 'credentials' ? credentialScript(engine, company.id, span) : []),
    ...settleScript(engine),
  ])
  return { databaseUrl, company }
}

type Ask = () => Promise<void>

function makeRequests(
  { app, db }: Inside,
  { caller, bidId: ownBid }: Company,
  { hasFields }: Dimension,
): Readonly<Record<string, Ask>> {
  const headers = { ...caller, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ bid_id: ownBid, project_name: 'A project', ...(hasFields ? tenValues : {}) })
  const ask = (query: string, init: RequestInit = { headers: caller }): Ask => {
    return async () => {
      const answer = await app(new Request(`http://bench/rest/v1/project${query}`, init), () => '')
      if (!answer.ok) throw new Error(`${query} is refused: ${await answer.text()}`)
      await answer.text()
    }
  }
  return {
    'list 20': ask('?limit=20'),
    'get by id': ask(`?id=eq.${projectId(500)}`),
    'filter by bid': ask(`?bid_id=eq.${bidId(7)}&limit=20`),
    'filter by name': ask('?project_name=eq.Project%20number%20500'),
    ...(hasFields ? { 'filter by an indexed field': ask(`?${indexedName}=eq.500&limit=20`) } : {}),
    // Created again each time, so that no cache has it.
    authenticate: async () => {
      const authenticate = createAuthenticate(db)
      await authenticate(authenticate.read(new Headers(caller)), '', new Exchange())
    },
    // The last one, because the rows that it creates would affect the others.
    create: ask('', { method: 'POST', headers, body }),
  }
}

async function medianOf(ask: Ask): Promise<number> {
  await timesOf(ask, turnMs / 2)
  return median(await timesOf(ask, turnMs))
}

async function timesOf(ask: Ask, forMs: number): Promise<number[]> {
  const times: number[] = []
  const endsAt = performance.now() + forMs
  do {
    const before = performance.now()
    await ask()
    times.push((performance.now() - before) * 1000)
  } while (performance.now() < endsAt)
  return times
}
