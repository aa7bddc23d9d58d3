import { createHandles } from './handle.ts'
import { createMemory } from './memory.ts'
import { openBare } from './open.ts'

/**
 * What the work costs at the least on this runtime and these engines: both tokens hashed and looked up, one prepared statement,
 * the same body. The measure of what everything else in the service costs.
 */
const bare = openBare(process.env.DATABASE_URL ?? '')
const handles = createHandles(bare)
const rememberCompany = createMemory(bare)

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (http) => {
    const { headers, url } = http
    const [, , , who = '', name = '', rest = ''] = url.split('/')
    const findCompany = who === 'read' ? bare.readCompany : rememberCompany
    const company = await findCompany(digest(headers.get('apikey')), digest(headers.get('x-api-secret')))
    if (company === '') return new Response(null, { status: 401 })
    return handles[name]?.(http, company, rest) ?? new Response(null, { status: 404 })
  },
})
process.once('SIGTERM', () => process.exit(0))
console.log(`${server.url}`)

const digest = (token: string | null): string => Bun.SHA256.hash(token ?? '', 'hex')
