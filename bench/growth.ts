import { Exchange } from '../src/exchange.ts'
import { createAuthenticate } from '../src/keys/authenticate.ts'
import { migrate } from '../src/store/migrate.ts'
import { type Inside, openInside } from './app.ts'
import { type Engine, makeDatabase, runScript } from './engine.ts'
import { quantile } from './figures.ts'
import { bidId, companyScript, credentialScript, projectId, projectScript, type Span, settleScript } from './fill.ts'
import { type Company, makeCompany } from './place.ts'

/** What there may be more and more of. */
export interface Dimension {
  readonly name: 'projects' | 'companies' | 'credentials'
  readonly title: string
  readonly sizes: readonly number[]
}

export const dimensions: readonly Dimension[] = [
  { name: 'projects', title: 'projects in the company', sizes: [1000, 10_000, 100_000, 1_000_000] },
  { name: 'companies', title: 'companies', sizes: [10, 100, 1000, 10_000, 100_000] },
  { name: 'credentials', title: 'credentials', sizes: [10, 100, 1000, 10_000, 100_000] },
]

/** How long a request takes at each size: microseconds, one at a time and without a port. */
export interface Grown {
  readonly engine: Engine
  readonly dimension: Dimension['name']
  readonly sizes: readonly number[]
  readonly medianUs: Readonly<Record<string, readonly number[]>>
}

const warmUps = 300
const samplesMax = 2000
const samplesMin = 10
const measureMs = 1500

export async function measureGrowth(engine: Engine, dimension: Dimension, ends: AsyncDisposableStack): Promise<Grown> {
  const databaseUrl = await makeDatabase(engine, ends)
  const inside = openInside(databaseUrl)
  await migrate(inside.db)
  await runScript(databaseUrl, ['create table bare_credential (key_digest text, secret_digest text, company_id text)'])
  const company = await makeCompany(inside.db, databaseUrl, 'Measured')
  if (dimension.name !== 'projects') await runScript(databaseUrl, projectsUpTo(engine, company, { from: 0, to: 1000 }))
  const medianUs: Record<string, number[]> = {}
  let from = 0
  for (const to of dimension.sizes) {
    await runScript(databaseUrl, [
      // What was created at the size before.
      `delete from project where bid_id = '${company.bidId}'`,
      ...scriptOf(engine, dimension, company, { from, to }),
      ...settleScript(engine),
    ])
    for (const [name, ask] of Object.entries(makeRequests(inside, company))) {
      medianUs[name] = [...(medianUs[name] ?? []), await medianOf(ask)]
    }
    from = to
  }
  await inside.close()
  return { engine, dimension: dimension.name, sizes: dimension.sizes, medianUs }
}

function scriptOf(engine: Engine, { name }: Dimension, company: Company, span: Span): string[] {
  if (name === 'projects') return projectsUpTo(engine, company, span)
  return name === 'companies' ? companyScript(engine, span) : credentialScript(engine, company.id, span)
}

/** 20 projects a bid, so that a filter by bid finds as many at every size. */
const projectsUpTo = (engine: Engine, { id }: Company, span: Span): string[] => projectScript(engine, id, 20, span)

type Ask = () => Promise<void>

function makeRequests({ app, db }: Inside, { caller, bidId: ownBid }: Company): Readonly<Record<string, Ask>> {
  const headers = { ...caller, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ bid_id: ownBid, project_name: 'A project' })
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
    create: ask('', { method: 'POST', headers, body }),
    // Anew each time, so that none is remembered from before.
    authenticate: async () => void (await createAuthenticate(db)(new Headers(caller), new Exchange())),
  }
}

async function medianOf(ask: Ask): Promise<number> {
  const warmUntil = performance.now() + measureMs / 3
  for (let count = 0; count < warmUps && performance.now() < warmUntil; count += 1) await ask()
  const times: number[] = []
  const endsAt = performance.now() + measureMs
  while (times.length < samplesMin || (times.length < samplesMax && performance.now() < endsAt)) {
    const before = performance.now()
    await ask()
    times.push((performance.now() - before) * 1000)
  }
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  )
}
