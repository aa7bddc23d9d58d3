import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { SQL } from 'bun'

/**
 * What list and create cost at the least on this runtime and these engines: both tokens hashed and looked up, one prepared
 * statement, the same body. No checks, no dialect, no log. The measure of what everything else in the service costs.
 */
interface Bare {
  findCompany(keyDigest: string, secretDigest: string): Promise<string | undefined>
  list(companyId: string): Promise<string>
  create(row: readonly string[]): Promise<string>
}

const url = process.env.DATABASE_URL ?? ''
const bare = url.startsWith('postgres') ? openPostgres() : openSqlite()

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (http) => {
    const { headers } = http
    const company = await bare.findCompany(digest(headers.get('apikey')), digest(headers.get('x-api-secret')))
    if (company === undefined) return new Response(null, { status: 401 })
    return http.method === 'POST' ? create(company, http) : list(company)
  },
})
process.once('SIGTERM', () => process.exit(0))
console.log(`${server.url}`)

const type = { 'Content-Type': 'application/json; charset=utf-8' }

async function list(company: string): Promise<Response> {
  return new Response(`[${await bare.list(company)}]`, { headers: type })
}

async function create(company: string, http: Request): Promise<Response> {
  const { bid_id, project_name } = JSON.parse(await http.text())
  const id = Bun.randomUUIDv7()
  const now = new Date().toISOString().replace(/\.?0*Z$/, '+00:00')
  const body = await bare.create([company, id, bid_id, project_name, now, now])
  return new Response(body, { status: 201, headers: { ...type, Location: `/rest/v1/project?id=eq.${id}` } })
}

function digest(token: string | null): string {
  return createHash('sha256')
    .update(token ?? '')
    .digest('hex')
}

function openSqlite(): Bare {
  const engine = new Database(url, { strict: true })
  engine.run('pragma busy_timeout = 5000')
  engine.run('pragma journal_mode = wal')
  engine.run('pragma synchronous = full')
  engine.run('pragma foreign_keys = on')
  const shown = `json_object('id', id, 'bid_id', bid_id, 'project_name', project_name, 'created_at', created_at, 'updated_at', updated_at)`
  const found = engine.prepare('select company_id from bare_credential where key_digest = ? and secret_digest = ?')
  const listed = engine.prepare(
    `select group_concat(text, ',\n') from (select ${shown} as text from project where company_id = ? order by id)`,
  )
  const created = engine.prepare(
    `insert into project (company_id, id, bid_id, project_name, created_at, updated_at) values (?, ?, ?, ?, ?, ?) returning ${shown}`,
  )
  const first = (statement: typeof found, values: readonly string[]) =>
    String(statement.values(...values)[0]?.[0] ?? '')

  let waiting: { readonly row: readonly string[]; readonly answer: (text: string) => void }[] = []
  function commit(): void {
    const jobs = waiting
    waiting = []
    engine.run('begin immediate')
    const texts = jobs.map(({ row }) => first(created, row))
    engine.run('commit')
    for (const [at, { answer }] of jobs.entries()) answer(texts[at] ?? '')
  }

  return {
    findCompany: async (...digests) => first(found, digests) || undefined,
    list: async (company) => first(listed, [company]),
    create: (row) =>
      new Promise((answer) => {
        if (waiting.length === 0) setImmediate(commit)
        waiting.push({ row, answer })
      }),
  }
}

function openPostgres(): Bare {
  const pool = new SQL({ url, max: 10, connection: { TimeZone: 'UTC' } })
  const first = async (text: string, values: readonly string[]): Promise<string> => {
    const rows: unknown = await pool.unsafe(text, [...values]).values()
    return String((rows as unknown[][])[0]?.[0] ?? '')
  }
  const columns = 'id, bid_id, project_name, created_at, updated_at'
  // As the service does: a credential is read once a second and not with every request.
  const remembered = new Map<string, { readonly company: string; readonly until: number }>()
  return {
    findCompany: async (keyDigest, secretDigest) => {
      const known = remembered.get(keyDigest + secretDigest)
      if (known && known.until > Date.now()) return known.company
      const text = 'select company_id from bare_credential where key_digest = $1 and secret_digest = $2'
      const company = await first(text, [keyDigest, secretDigest])
      if (company === '') return undefined
      remembered.set(keyDigest + secretDigest, { company, until: Date.now() + 1000 })
      return company
    },
    list: (company) =>
      first(
        `select string_agg(row_to_json(shown)::text, ',\n') from (select ${columns} from project where company_id = $1 order by id) as shown`,
        [company],
      ),
    create: (row) =>
      first(
        `insert into project (company_id, ${columns}) values ($1, $2, $3, $4, $5, $6)
         returning (select row_to_json(shown)::text from (select ${columns}) as shown)`,
        row,
      ),
  }
}
