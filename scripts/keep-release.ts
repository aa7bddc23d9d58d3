import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { engines, stopServer, type TestEngine } from '../test/support/engines.ts'
import type { Environment, Service } from '../test/support/service.ts'
import { type KeptCompany, type KeptRelease, openProgram, releaseFolder } from '../test/upgrade/release.ts'

/**
 * Keeps a release for the tests of the next one (test/upgrade): its program, and a database that it has filled on each engine.
 * The argument is a checkout of the release; without one, it is this directory.
 */
const source = resolve(process.argv[2] ?? '.')
const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
/** What the companies read, with all columns by name, because the next release may have more. */
const paths = [
  '/project?select=id,bid_id,project_name,created_at,updated_at,bid(id,bid_name)&order=id',
  '/bid?select=id,bid_name,created_at,updated_at,project(project_name)&order=id',
  '/project?select=project_name&project_name=ilike.*ö*',
  '/project?select=count()',
]

mkdirSync(releaseFolder, { recursive: true })

const text = await buildProgram()
const program = openProgram(text)
const companies: Partial<Record<TestEngine['name'], readonly KeptCompany[]>> = {}
for (const engine of engines) {
  const place = await engine.makePlace()
  companies[engine.name] = await fill(place.url)
  save(...(engine.name === 'sqlite' ? sqliteFile(place.url) : postgresDump(place.url)))
  await place.remove()
}
program.remove()
await stopServer()
save('program.js.gz', Buffer.from(text))
const release = { version, companies } as KeptRelease
writeFileSync(join(releaseFolder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
console.log(`Kept ${version} in ${releaseFolder}.`)

/** Without the packages, which are the same for both versions, or nearly so. */
async function buildProgram(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(source, 'src/main.ts')],
    target: 'bun',
    packages: 'external',
    minify: { whitespace: true, syntax: true },
  })
  const [output] = built.outputs
  if (!output) throw new Error('Nothing was built')
  return output.text()
}

function save(name: string, content: Buffer): void {
  const bytes = name.endsWith('.gz') ? gzipSync(content, { level: 9 }) : content
  writeFileSync(join(releaseFolder, name), bytes)
}

function sqliteFile(path: string): [string, Buffer] {
  return ['sqlite.db.gz', readFileSync(path)]
}

/** As statements, so that it can be restored without psql. Lines for psql, and settings that an older server may not know, are left out. */
function postgresDump(url: string): [string, Buffer] {
  const dump = Bun.spawnSync(['pg_dump', '--inserts', '--no-owner', '--no-privileges', `--dbname=${url}`])
  if (dump.exitCode !== 0) throw new Error(`pg_dump failed: ${dump.stderr}`)
  const lines = dump.stdout.toString().split('\n')
  return ['postgres.sql.gz', Buffer.from(lines.filter((line) => !/^(?:\\|SET |--|$)/.test(line)).join('\n'))]
}

/** Two companies with everything that a database holds. */
async function fill(url: string): Promise<readonly KeptCompany[]> {
  const env = { DATABASE_URL: url, DEMO: 'off', LOG: 'json' }
  const service = await program.start(env)
  const made = [await makeCompany(service, env, 'Acme'), await makeCompany(service, env, 'Rival')]
  // Its last writes are counts of use.
  await service.stop()
  return made
}

async function makeCompany(service: Service, env: Environment, name: string): Promise<KeptCompany> {
  const run = (...args: string[]) => runProgram(args, env)
  await run('company', 'create', name)
  const { id: bidId } = await run('bid', 'create', '--company', name, '--name', `${name}'s bridge`)
  const credential = (...more: string[]) => run('credential', 'create', '--company', name, '--name', 'Kept', ...more)
  const headersOf = (one: Record<string, string>) => ({
    apikey: one.api_key ?? '',
    'X-API-Secret': one.api_secret ?? '',
  })
  const headers = headersOf(await credential())
  const readOnlyHeaders = headersOf(await credential('--access', 'read', '--rate-limit', '100/s'))
  const revoked = await credential()
  await run('credential', 'revoke', revoked.id ?? '')
  const [email, password] = [`${name.toLowerCase()}@example.com`, `kept-for-tests-${name}`]
  await run('user', 'create', '--email', email, '--name', name, '--company', name, '--password', password)
  await writeRows(service, headers, bidId ?? '')
  const answers = Object.fromEntries(await Promise.all(paths.map((path) => read(service, headers, path))))
  const known = { name, headers, readOnlyHeaders, revokedKey: revoked.api_key ?? '' }
  return { ...known, email, password, bidId: bidId ?? '', answers }
}

async function writeRows({ base }: Service, headers: Record<string, string>, bid_id: string): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const more = { 'Content-Type': 'application/json', 'Idempotency-Key': Bun.randomUUIDv7() }
    const init = { method, headers: { ...headers, ...more }, body: JSON.stringify(body) }
    const answer = await fetch(`${base}/rest/v1${path}`, init)
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  }
  const names = ['Pile foundations', 'Brücke "Süd"', 'Line\nbreak', '橋', 'To be renamed', 'To be deleted']
  await send(
    'POST',
    '/project',
    names.map((project_name) => ({ bid_id, project_name })),
  )
  await send('PATCH', '/project?project_name=eq.To be renamed', { project_name: 'Renamed' })
  await send('DELETE', '/project?project_name=eq.To be deleted', undefined)
}

async function read({ base }: Service, headers: Record<string, string>, path: string): Promise<[string, string]> {
  const answer = await fetch(`${base}/rest/v1${path}`, { headers })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return [path, await answer.text()]
}

async function runProgram(args: readonly string[], env: Environment): Promise<Record<string, string>> {
  const command = [...program.command, ...args, '--json']
  const child = Bun.spawn(command, { env: { PATH: process.env.PATH ?? '', ...env }, stderr: 'pipe' })
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new Error(`${args.join(' ')}: ${complained}`)
  return JSON.parse(said)
}
