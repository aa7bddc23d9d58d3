import { createHandles } from './handle.ts'
import { type Head, headOf, leastHead } from './head.ts'
import { createMemory } from './memory.ts'
import { openBare } from './open.ts'

/**
 * What the work costs at the least on this runtime and these engines: both tokens hashed and looked up, one prepared statement,
 * the same bytes. The measure of what everything else in the service costs. Its paths begin with the way of it:
 *
 * - `whole`: the credential is read with each request, and the answer has the head of the service's;
 * - `least`: the credential is remembered for a second, as the service does, and the answer has one header.
 */
const bare = openBare(process.env.DATABASE_URL ?? '')
const handles = createHandles(bare)
const rememberCompany = createMemory(bare)
/** By the path that they are for. */
const heads = new Map<string, Head>()

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (http) => {
    const { headers, url } = http
    const [, , , way = '', name = '', rest = ''] = url.split('/')
    if (way === 'head') return keepHead(name, new Headers((await http.json()) as [string, string][]))
    const isWhole = way === 'whole'
    const findCompany = isWhole ? bare.readCompany : rememberCompany
    const company = await findCompany(digest(headers.get('apikey')), digest(headers.get('x-api-secret')))
    if (company === '') return new Response(null, { status: 401 })
    const head = isWhole ? (heads.get(name) ?? leastHead) : leastHead
    return handles[name]?.(http, company, rest, head) ?? new Response(null, { status: 404 })
  },
})
process.once('SIGTERM', () => process.exit(0))
console.log(`${server.url}`)

function keepHead(name: string, sent: Headers): Response {
  heads.set(name, headOf(sent))
  return new Response(null, { status: 204 })
}

const digest = (token: string | null): string => Bun.SHA256.hash(token ?? '', 'hex')
