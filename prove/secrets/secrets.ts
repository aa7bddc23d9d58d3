import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { startPostgres } from '../../test/support/postgres.ts'
import { startService } from '../../test/support/service.ts'
import { type Attempt, type Proof, requireNone } from '../proof.ts'
import { Recorder, type Secret } from './recorder.ts'
import { makeTraffic } from './secret-traffic.ts'

export const secrets: Proof = {
  promise:
    'A secret, password or token appears only in the answer that issues it, and in nothing that is stored or logged.',
  attack:
    'Every way to create, use, change and leak one; then each is searched for in all answers, all log lines and all bytes of the database.',
  size: { unit: 'rounds', short: 1, full: { sqlite: 10, postgres: 10 } },
  isOutside: true,
  run: async (attempt) => {
    const place = await makePlace(attempt)
    const env = { DATABASE_URL: place.url, DEMO: 'off', TRUST_PROXY: 'on', ...attempt.env }
    const services = []
    for (const LOG of ['json', 'text'].slice(0, attempt.size)) services.push(await startService({ ...env, LOG }))
    const recorder = new Recorder(env)
    for (let round = 0; round < attempt.size; round += 1) {
      await makeTraffic(recorder, services[round % services.length]?.base ?? '')
    }
    // As long as they serve, much is in the log that a database writes ahead; when they have ended, in its files.
    const whileServing = place.read()
    for (const service of services) await service.stop()
    const afterwards = place.read()
    const log = services.map(({ stdout, stderr }) => stdout + stderr).join('')
    return judge(recorder, { log, files: [...whileServing, ...afterwards] })
  },
  // What they break is the same for both engines.
  controls: [
    {
      breaks: 'secrets are kept as they are and not as digests',
      notices: 'in the database',
      engines: ['sqlite'],
      file: 'src/keys/token.ts',
      text: "Bun.SHA256.hash(secret, 'hex')",
      instead: 'secret',
    },
    {
      breaks: 'tokens are not taken out of what is said',
      notices: 'in answers',
      engines: ['sqlite'],
      file: 'src/log/scrub.ts',
      text: "replace(tokens, '$1_…')",
      instead: "replace(tokens, '$&')",
    },
  ],
}

interface Place {
  readonly url: string
  /** Every file in which the database keeps anything. */
  read(): Buffer[]
}

/** A server of its own, too: only then all its files can be read. */
async function makePlace({ engine, ends }: Attempt): Promise<Place> {
  if (engine.name === 'sqlite') {
    const { url, remove } = await engine.makePlace()
    ends.defer(remove)
    return { url, read: () => readFolder(dirname(url)) }
  }
  const server = await startPostgres()
  ends.defer(() => server.stop())
  const client = new SQL(server.url, { max: 1 })
  const [{ data_directory }] = await client.unsafe('show data_directory')
  await client.close()
  return { url: server.url, read: () => readFolder(data_directory) }
}

function readFolder(folder: string): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => readIfThere(join(parentPath, name)))
}

/** A server that runs deletes files, too. */
function readIfThere(path: string): Buffer[] {
  try {
    return [readFileSync(path)]
  } catch (error) {
    if (existsSync(path)) throw error
    return []
  }
}

function judge({ secrets: all, said }: Recorder, { log, files }: { log: string; files: readonly Buffer[] }) {
  const lines = log.split('\n')
  // A search that finds nothing at all would prove nothing.
  if (!files.some((bytes) => bytes.includes('Made by command'))) throw new Error('The database was not searched')
  if (lines.length < said.length / 2) throw new Error('The log was not searched')
  const places = {
    'the database': all.filter(({ text }) => files.some((bytes) => bytes.includes(text))).map(describe),
    'the log': all.flatMap((one) => lines.filter((line) => line.includes(one.text))),
    answers: all.flatMap(({ text }) =>
      said.filter((one) => one.text.includes(text) && !one.givesAway.has(text)).map(({ by }) => by),
    ),
  }
  const full = Object.entries(places).filter(([, found]) => found.length > 0)
  requireNone(
    'places with secrets',
    full.map(([place, found]) => `${found.length} in ${place}, such as ${found[0]}`),
  )
  return {
    'secrets issued': all.length,
    'answers searched': said.length,
    'lines of the log searched': lines.length,
    'MB of the database searched': Math.ceil(files.reduce((sum, { length }) => sum + length, 0) / 1e6),
    'found where none may be': 0,
  }
}

const describe = ({ kind, text }: Secret): string => `${kind} ${text.slice(0, 8)}…`
