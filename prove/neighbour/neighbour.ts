import { join } from 'node:path'
import { createCredential } from '../../src/keys/credentials.ts'
import { startService } from '../../test/support/service.ts'
import { fillCompany } from '../cost/fill.ts'
import { addPerson, peopleSettings, signIn } from '../people.ts'
import { type Attempt, type Figures, type Proof, requireNone } from '../proof.ts'
import { type Caller, fillPage, makeStage, type Stage, withDatabase } from '../stage.ts'
import { type Flood, kinds } from './floods.ts'

const rounds = 15
const clients = 2
const pauseMs = 5
const roundMsMax = 30_000
const timesSlowerMax = 3
const credentialCount = 64
const projectCount = 20_000
/** Few enough that each search, by itself, is nothing that others would have to be protected from. */
const searchedCount = 500

export const neighbour: Proof = {
  promise: `While one company floods the service, the list of another is at most ${timesSlowerMax} times slower (p99).`,
  attack: `64 connections of one company, with ${credentialCount} credentials and as many sessions, ask as fast as they are answered, by turns with quiet, while another lists its 20 projects: for rows, for new rows, for settings pages, for searches in ${searchedCount} long names, and for long statements that look at each of ${projectCount} rows.`,
  size: { unit: 'lists for each kind of flood', short: null, full: { sqlite: 10_000, postgres: 10_000 } },
  isOutside: true,
  run,
  controls: [
    {
      breaks: 'nobody is seen to compete, and so nobody has to take turns',
      notices: 'times slower',
      size: 2000,
      file: 'src/traffic/turns.ts',
      text: 'return competingUntil === 0',
      instead: 'return true',
    },
  ],
}

async function run(attempt: Attempt): Promise<Figures> {
  const stage = await makeStage(attempt, ['Flood', 'Search', 'Quiet'])
  const [loud, searched, quiet] = stage.callers
  if (!loud || !searched || !quiet) throw new Error('There is no company')
  const { base } = await startService({ ...stage.env, ...peopleSettings })
  await fillCompany({ engine: attempt.engine.name, url: stage.url, companyId: loud.companyId, rows: projectCount })
  await fillPage(base, quiet)
  await fillSearched(base, searched)
  const searchers = await credentialsOf(stage, searched)
  const flood = { base, bid: loud.bid, searchers, ...(await identitiesOf(stage, loud, base)) }
  const lists = Math.ceil(attempt.size / rounds / 2)
  // The first ones find everything cold.
  await timeLists(base, quiet, lists)
  const figures: Record<string, number | string> = { 'lists of the other company': attempt.size * kinds.length }
  const slow: string[] = []
  for (const kind of kinds) {
    const { times, shown, refused } = await compare({ ...flood, kind }, quiet, lists)
    figures[`p99 of a list beside ${kind}`] = shown
    if (times > timesSlowerMax) slow.push(`${times.toFixed(1)} times slower beside ${kind}, ${shown}`)
    if (refused > 0) slow.push(`refused ${refused} times beside ${kind}`)
  }
  requireNone('kinds of flood make the list of another company slower', slow)
  return figures
}

/** The p99 of a list beside a flood and in quiet: medians of all rounds, because a machine has moments at which it does something else. */
async function compare(flood: Flood, quiet: Caller, lists: number) {
  const p99 = { quiet: [] as number[], flooded: [] as number[], times: [] as number[] }
  let refused = 0
  for (let round = 0; round < rounds; round += 1) {
    const before = percentile((await timeLists(flood.base, quiet, lists)).took, 0.99)
    const flooded = await whileFlooded(flood, () => timeLists(flood.base, quiet, lists))
    const beside = percentile(flooded.took, 0.99)
    p99.quiet.push(before)
    p99.flooded.push(beside)
    p99.times.push(beside / before)
    refused += flooded.refused
  }
  const times = median(p99.times)
  const shown = `${median(p99.flooded).toFixed(2)} ms, ${median(p99.quiet).toFixed(2)} ms without, ${times.toFixed(2)} times`
  return { times, shown, refused }
}

/** Names of forty words. */
async function fillSearched(base: string, { headers, bid }: Caller): Promise<void> {
  const nameOf = (row: number) => Array.from({ length: 40 }, (_, word) => `w${(row * 31 + word * 7) % 97}`).join(' ')
  const rows = Array.from({ length: searchedCount }, (_, row) => ({ bid_id: bid, project_name: nameOf(row) }))
  const init = { method: 'POST', headers, body: JSON.stringify(rows) }
  const { status } = await fetch(`${base}/rest/v1/project`, init)
  if (status !== 201) throw new Error(`The rows to search were answered with ${status}`)
}

const credentialsOf = ({ url }: Stage, { companyId, headers }: Caller): Promise<Flood['credentials']> =>
  withDatabase(url, async (db) => {
    const credentials: Flood['credentials'][number][] = []
    for (let at = 0; at < credentialCount; at += 1) {
      const made = await createCredential(db, { companyId, name: 'Flood', access: 'read-write', expiresAt: null })
      credentials.push({ ...headers, apikey: made.apiKey, 'X-API-Secret': made.apiSecret })
    }
    return credentials
  })

async function identitiesOf(
  stage: Stage,
  loud: Caller,
  base: string,
): Promise<Pick<Flood, 'credentials' | 'sessions'>> {
  const sessions = await withDatabase(stage.url, async (db) => {
    const viewer = await addPerson(db, loud.companyId, 'viewer')
    const signedIn: Flood['sessions'][number][] = []
    for (let at = 0; at < credentialCount; at += 1) signedIn.push((await signIn(db, base, viewer.id)).headers)
    return signedIn
  })
  return { credentials: await credentialsOf(stage, loud), sessions }
}

/** As many lists as are wanted, or as there are answers to in a time that is long enough for any of them. */
async function timeLists(base: string, { headers }: Caller, count: number) {
  const took: number[] = []
  const endsAt = performance.now() + roundMsMax
  let refused = 0
  const client = async (): Promise<void> => {
    while (took.length < count && performance.now() < endsAt) {
      const startedAt = performance.now()
      const answer = await fetch(`${base}/rest/v1/project`, { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) refused += 1
      took.push(performance.now() - startedAt)
      await Bun.sleep(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { took, refused }
}

async function whileFlooded<Result>(flood: Flood, work: () => Promise<Result>): Promise<Result> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'flood.ts')], {
    env: { ...process.env, FLOOD: JSON.stringify(flood) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await child.stdout.getReader().read()
    return await work()
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
}

const median = (values: readonly number[]): number => percentile(values, 0.5)

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}
