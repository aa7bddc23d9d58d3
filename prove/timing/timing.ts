import { existsSync } from 'node:fs'
import { createCredential } from '../../src/keys/credentials.ts'
import { makeToken } from '../../src/keys/token.ts'
import type { Database } from '../../src/store/database.ts'
import { type Company, openCompanies } from '../model/model-companies.ts'
import { type Attempt, Broken, type Figures, isTooBusy, Missed, type Proof } from '../proof.ts'
import { chosenSeed, Random } from '../random.ts'
import { judge, type Pair, tellable } from './timing-statistics.ts'

export const timing: Proof = {
  promise:
    'Response times reveal neither whether another company has a bid, nor whether a wrong secret was sent or none.',
  attack: 'Pairs of such requests in random order, within one process, where no network hides a difference.',
  size: { unit: 'pairs of each', short: 1000, full: { sqlite: 100_000, postgres: 100_000 } },
  run,
  controls: [
    {
      breaks: 'a bid is looked for in all companies, and read where it is found',
      notices: 'can be told apart',
      file: 'src/store/execute.ts',
      text: 'return executeWrite(db.forRows(plan.values[0]), plan, asker)',
      instead: `return (async () => {
          const { sql } = await import('./sql.ts')
          const bid = plan.kind === 'insert' && plan.resource.name === 'project' ? (plan.rows[0]?.[1] ?? null) : null
          const look = async () => db.read(sql\`select 1 from bid where id = \${bid}\`)
          for (let left = (await look()).length * 5; left > 0; left -= 1) await look()
          return executeWrite(db.forRows(plan.values[0]), plan, asker)
        })()`,
    },
    {
      breaks: 'a secret that was not sent is not looked for',
      notices: 'can be told apart',
      file: 'src/keys/authenticate.ts',
      text: 'const tried = secret || standIn ||',
      instead: 'const tried = secret ||',
    },
  ],
}

type Make = () => Request
interface Question {
  readonly name: string
  readonly status: number
  readonly a: Make
  readonly b: Make
}

/** A file that is kept in memory: what a disk takes would hide what is looked for. */
const inMemory = '/dev/shm'

/** So many bids, and ids of none that were made at the same time. */
const idCount = 100
const secretCount = 20

async function run(attempt: Attempt): Promise<Figures> {
  const seed = chosenSeed()
  const random = new Random(seed)
  if (existsSync(inMemory)) process.env.TMPDIR = inMemory
  const { db, companies, serve } = await openCompanies(attempt, 2)
  const [acme, rival] = companies
  if (!acme || !rival) throw new Error('There are not two companies')
  const figures: Record<string, number | string> = { seed: String(seed) }
  for (const { name, status, a, b } of await questionsOf({ db, acme, rival, random })) {
    const time = async (make: Make): Promise<number> => {
      const http = make()
      const startedAt = Bun.nanoseconds()
      const answer = await serve(http)
      const text = await answer.text()
      const took = Bun.nanoseconds() - startedAt
      if (answer.status !== status) {
        const how = `${name}: the status is ${answer.status} in place of ${status}: ${text}`
        throw isTooBusy(text) ? new Missed(how) : new Error(how)
      }
      return took
    }
    const measure = async () => judge(await timePairs(random, attempt.size, { a: () => time(a), b: () => time(b) }))
    let verdict = await measure()
    // Chance alone does it once in ten thousand questions, and not twice in a row.
    if (verdict.t >= tellable) verdict = await measure()
    const { t, medianDifference, median } = verdict
    const shown = `t = ${t.toFixed(2)}, medians differ by ${medianDifference.toFixed()} ns of ${median.toFixed()}`
    if (t >= tellable) throw new Broken(`${name} can be told apart: ${shown} (SEED=${seed})`)
    figures[name] = shown
  }
  return figures
}

async function timePairs(
  random: Random,
  size: number,
  { a, b }: Readonly<Record<'a' | 'b', () => Promise<number>>>,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  // The first ones are slow until the code is compiled.
  const warming = Math.ceil(size / 10)
  for (let at = 0; at < size + warming; at += 1) {
    const isFirst = random.chance(0.5)
    const first = await (isFirst ? a : b)()
    const second = await (isFirst ? b : a)()
    if (at >= warming) pairs.push(isFirst ? { a: first, b: second } : { a: second, b: first })
  }
  return pairs
}

interface Scene {
  readonly db: Database
  readonly acme: Company
  readonly rival: Company
  readonly random: Random
}

async function questionsOf({ db, acme, rival, random }: Scene): Promise<Question[]> {
  const [foreign, missing] = [newIds(), newIds()]
  await makeBids(rival, foreign)
  await makeBids(acme, newIds())
  const create = (ids: readonly string[]) => () =>
    request('POST', { ...scoped(acme), ...json }, JSON.stringify({ bid_id: random.pick(ids), project_name: 'Bridge' }))
  const unmade = Array.from({ length: secretCount }, () => makeToken('secret'))
  const theirs = await Promise.all(Array.from({ length: secretCount }, () => newSecret(db, rival)))
  const read = (secrets: readonly string[]) => () =>
    request('GET', { apikey: acme.apiKey, 'X-API-Secret': random.pick(secrets) })
  const readJoined = (secrets: readonly string[]) => () =>
    request('GET', { apikey: `${acme.apiKey}.${random.pick(secrets)}` })
  // As long as the other, so that what is read and parsed of the request is the same.
  const readWithout = () => request('GET', { apikey: acme.apiKey, 'X-Api-Nothing': random.pick(unmade).slice(1) })
  return [
    { name: 'a bid of another company and none', status: 409, a: create(foreign), b: create(missing) },
    {
      name: "another company's secret and one that was never made",
      status: 200,
      a: read(theirs),
      b: read(unmade),
    },
    {
      name: 'the same two behind the key in one header',
      status: 200,
      a: readJoined(theirs),
      b: readJoined(unmade),
    },
    { name: 'a wrong secret and none', status: 200, a: read(unmade), b: readWithout },
  ]
}

async function makeBids(company: Company, ids: readonly string[]): Promise<void> {
  const answer = await company.ask('POST', '/bid', json, JSON.stringify(ids.map((id) => ({ id, bid_name: 'Bid' }))))
  if (answer.status !== 201) throw new Error(`Cannot make bids: ${await answer.text()}`)
}

async function newSecret(db: Database, { id: companyId }: Company): Promise<string> {
  const { apiSecret } = await createCredential(db, { companyId, name: 'another', access: 'read', expiresAt: null })
  return apiSecret
}

const json = { 'Content-Type': 'application/json' }
const newIds = (): string[] => Array.from({ length: idCount }, () => Bun.randomUUIDv7())
const scoped = ({ apiKey, apiSecret }: Company) => ({ apikey: apiKey, 'X-API-Secret': apiSecret })

const request = (method: string, headers: Readonly<Record<string, string>>, body: string | null = null): Request =>
  new Request('http://prove/rest/v1/project', { method, headers, body })
