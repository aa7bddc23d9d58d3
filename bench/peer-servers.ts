import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/postgres.ts'
import { type Served, startProgram } from './child.ts'
import { runScript } from './engine.ts'
import { bidId, projectId } from './fill.ts'
import type { Caller, Company, Place } from './place.ts'

/** Another program that does the same work on the same database. */
export interface Peer {
  readonly name: string
  start(place: Place, ends: AsyncDisposableStack): Promise<Served>
  /** The path of each subject. */
  readonly paths: Readonly<Record<string, string>>
  callerOf(company: Company): Caller
}

/** The hand-written service, and PostgREST if it is installed. */
export function findPeers(): readonly Peer[] {
  return [fastify, ...(Bun.which('postgrest') === null ? [] : [postgrest])]
}

const folder = fileURLToPath(new URL('./peers', import.meta.url))

const fastify: Peer = {
  name: 'Fastify and postgres.js on Node',
  start: async ({ databaseUrl }, ends) => {
    const installed = Bun.spawn(['npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if ((await installed.exited) !== 0) throw new Error('The hand-written service cannot be installed')
    return startProgram(
      ['node', `${folder}/fastify-service.js`],
      { DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
      ends,
    )
  },
  paths: {
    'list-20': '/project',
    get: `/project/${projectId(500)}`,
    embed: `/bid/${bidId(3)}/project`,
    create: '/project',
  },
  callerOf: ({ caller }) => caller,
}

/** PostgREST knows callers by a JWT. The views show only the rows of the company that it names. */
const postgrest: Peer = {
  name: 'PostgREST, companies by JWT and views',
  start: async ({ databaseUrl }, ends) => {
    await runScript(databaseUrl, views)
    const port = await freePort()
    const env = {
      PGRST_DB_URI: databaseUrl,
      PGRST_DB_SCHEMAS: 'peers',
      PGRST_DB_POOL: '10',
      PGRST_JWT_SECRET: jwtSecret,
      PGRST_LOG_LEVEL: 'crit',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
    }
    return startProgram(['postgrest'], env, ends, `http://127.0.0.1:${port}`)
  },
  paths: {
    'list-20': '/project?select=id,bid_id,project_name,created_at,updated_at&order=id',
    get: `/project?select=id,bid_id,project_name,created_at,updated_at&id=eq.${projectId(500)}`,
    embed: `/project?select=id,project_name,created_at,bid(id,bid_name)&bid_id=eq.${bidId(3)}&order=created_at.desc&limit=20`,
    create: '/project?select=id,bid_id,project_name,created_at,updated_at',
  },
  callerOf: ({ id }) => ({
    apikey: '',
    authorization: `Bearer ${makeJwt({ role: 'postgres', company_id: id })}`,
    'x-api-secret': '',
  }),
}

const ownCompany = "(current_setting('request.jwt.claims', true)::json ->> 'company_id')::uuid"
const views = [
  'drop schema if exists peers cascade',
  'create schema peers',
  `create view peers.bid as select * from bid where company_id = ${ownCompany}`,
  `create view peers.project as select * from project where company_id = ${ownCompany} with check option`,
  `alter view peers.project alter column company_id set default ${ownCompany}`,
  'alter view peers.project alter column id set default gen_random_uuid()',
  'alter view peers.project alter column created_at set default now()',
  'alter view peers.project alter column updated_at set default now()',
]

const jwtSecret = 'only for the bench, and not shorter than 32 characters'

function makeJwt(claims: Readonly<Record<string, string>>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${unsigned}.${createHmac('sha256', jwtSecret).update(unsigned).digest('base64url')}`
}
