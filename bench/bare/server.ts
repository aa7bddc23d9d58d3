import { createHandles } from './handle.ts'
import { type Head, headOf, leastHead } from './head.ts'
import { createMemory } from './memory.ts'
import { openBare } from './open.ts'

/**
 * The minimum cost of the work on this runtime and these engines: both tokens hashed and looked up, one prepared statement,
 * the same bytes. The difference to it is the overhead of the service. The first part of a path selects the variant:
 *
 * - `whole`: reads the credential with each request, and sends the same headers as the service;
 * - `least`: caches the credential for a second, as the service does, and sends one header.
 */
const bare = openBare(process.env.DATABASE_URL ?? '')
const handles = createHandles(bare)
const rememberCompany = createMemory(bare)
/** By path. */
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
