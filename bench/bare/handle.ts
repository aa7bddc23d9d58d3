import { type Bare, type ProjectRow, shownText } from './bare.ts'

type Handle = (http: Request, company: string, rest: string) => Promise<Response>

const json = { headers: { 'Content-Type': 'application/json; charset=utf-8' } }
const created = { ...json, status: 201 }

/** What each path answers, once it is known whose rows it is about. */
export function createHandles(bare: Bare): Readonly<Record<string, Handle>> {
  const one = (insert: (row: ProjectRow) => Promise<void>): Handle => {
    return async (http, company) => {
      const row = rowOf(company, JSON.parse(await http.text()), now())
      await insert(row)
      const location = { Location: `/rest/v1/project?id=eq.${row[1]}` }
      return new Response(shownText(row), { status: 201, headers: { ...json.headers, ...location } })
    }
  }
  return {
    list: async (_, company) => new Response(`[${await bare.list(company)}]`, json),
    get: async (_, company, id) => new Response(`[${await bare.get(company, id)}]`, json),
    embed: async (_, company, bid) => new Response(`[${await bare.embed(company, bid, 20)}]`, json),
    create: one((row) => bare.insert([row])),
    'create-alone': one((row) => bare.insertAlone(row)),
    bulk: async (http, company) => {
      const at = now()
      const sent: readonly Sent[] = JSON.parse(await http.text())
      const rows = sent.map((row) => rowOf(company, row, at))
      await bare.insert(rows)
      return new Response(`[${rows.map(shownText).join(',\n')}]`, created)
    },
    stream: async (_, company) => new Response(streamOf(bare.stream(company)), json),
  }
}

interface Sent {
  readonly bid_id: string
  readonly project_name: string
}

const rowOf = (company: string, { bid_id, project_name }: Sent, at: string): ProjectRow => [
  company,
  Bun.randomUUIDv7(),
  bid_id,
  project_name,
  at,
  at,
]

const now = (): string => new Date().toISOString().replace(/\.?0*Z$/, '+00:00')

function streamOf(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]()
  const utf8 = new TextEncoder()
  let before = '['
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      controller.enqueue(utf8.encode(done ? ']' : before + value))
      before = ',\n'
      if (done) controller.close()
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}
