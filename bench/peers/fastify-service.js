// The service as a team would write it by hand for Node: Fastify with schemas, and postgres.js. It keeps the same promises to its clients:
// it checks both tokens, shows only the rows of the company, and remembers a credential for a second.
import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL, { max: 10 })
const app = Fastify()

const text = { type: 'string' }
const projectSchema = {
  type: 'object',
  properties: { id: text, bid_id: text, project_name: text, created_at: text, updated_at: text },
}
const bidSchema = { type: 'object', properties: { id: text, bid_name: text } }
const withBidSchema = { type: 'object', properties: { id: text, project_name: text, created_at: text, bid: bidSchema } }
const newProjectSchema = {
  type: 'object',
  required: ['bid_id', 'project_name'],
  additionalProperties: false,
  properties: { bid_id: { ...text, format: 'uuid' }, project_name: { ...text, minLength: 1, maxLength: 255 } },
}
const listOf = (items) => ({ response: { 200: { type: 'array', items } } })
const idParameter = { params: { type: 'object', properties: { id: { ...text, format: 'uuid' } } } }

app.decorateRequest('company', '')
app.addHook('onRequest', async (request, reply) => {
  const { apikey = '', 'x-api-secret': secret = '', authorization } = request.headers
  if (authorization !== undefined && authorization !== `Bearer ${apikey}`) return reply.code(401).send()
  request.company = await findCompany(digest(apikey), digest(secret))
  if (request.company === null) return reply.code(401).send()
})

app.get(
  '/project',
  { schema: listOf(projectSchema) },
  ({ company }) =>
    sql`select id, bid_id, project_name, created_at, updated_at from project where company_id = ${company} order by id`,
)

app.get(
  '/project/:id',
  { schema: { ...listOf(projectSchema), ...idParameter } },
  ({ company, params }) =>
    sql`select id, bid_id, project_name, created_at, updated_at from project where company_id = ${company} and id = ${params.id}`,
)

app.get('/bid/:id/project', { schema: { ...listOf(withBidSchema), ...idParameter } }, async ({ company, params }) => {
  const rows = await sql`
    select p.id, p.project_name, p.created_at, b.id as bid_id, b.bid_name
    from project p join bid b on b.company_id = p.company_id and b.id = p.bid_id
    where p.company_id = ${company} and p.bid_id = ${params.id} order by p.created_at desc limit 20`
  return rows.map(({ bid_id, bid_name, ...project }) => ({ ...project, bid: { id: bid_id, bid_name } }))
})

app.post(
  '/project',
  { schema: { body: newProjectSchema, response: { 201: projectSchema } } },
  async (request, reply) => {
    const now = new Date()
    const { bid_id, project_name } = request.body
    const row = {
      company_id: request.company,
      id: randomUUID(),
      bid_id,
      project_name,
      created_at: now,
      updated_at: now,
    }
    const [made] = await sql`insert into project ${sql(row)} returning id, bid_id, project_name, created_at, updated_at`
    return reply.code(201).header('Location', `/project/${made.id}`).send(made)
  },
)

const rememberedMs = 1000
const remembered = new Map()

/** null if there is no such credential. */
async function findCompany(key, secret) {
  const known = remembered.get(key + secret)
  if (known && known.until > Date.now()) return known.company
  const [row] =
    await sql`select company_id from bare_credential where key_digest = ${key} and secret_digest = ${secret}`
  const company = row?.company_id ?? null
  remembered.set(key + secret, { company, until: Date.now() + rememberedMs })
  return company
}

function digest(token) {
  return createHash('sha256').update(token).digest('hex')
}

process.once('SIGTERM', () => process.exit(0))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
