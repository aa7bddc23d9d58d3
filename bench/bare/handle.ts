import { type Bare, type FieldedRow, fieldedNames, fieldedText, type ProjectRow, shownText } from './bare.ts'
import { answer, type Head } from './head.ts'

type Handle = (http: Request, company: string, rest: string, head: Head) => Promise<Response>

/** The handlers by path, called after authentication. */
export function createHandles(bare: Bare): Readonly<Record<string, Handle>> {
  const one = (insert: (row: ProjectRow) => Promise<void>): Handle => {
    return async (http, company, _, head) => {
      const row = rowOf(company, JSON.parse(await http.text()), now())
      await insert(row)
      return created(row[1], shownText(row), head)
    }
  }
  return {
    list: async (_, company, __, head) => answer(`[${await bare.list(company)}]`, 200, head),
    get: async (_, company, id, head) => answer(`[${await bare.get(company, id)}]`, 200, head),
    embed: async (_, company, bid, head) => answer(`[${await bare.embed(company, bid, 20)}]`, 200, head),
    create: one((row) => bare.insert([row])),
    'create-alone': one((row) => bare.insertAlone(row)),
    bulk: async (http, company, _, head) => {
      const at = now()
      const sent: readonly Sent[] = JSON.parse(await http.text())
      const rows = sent.map((row) => rowOf(company, row, at))
      await bare.insert(rows)
      return answer(`[${rows.map(shownText).join(',\n')}]`, 201, head)
    },
    'fielded-list': async (_, company, __, head) => answer(`[${await bare.listFielded(company)}]`, 200, head),
    'fielded-create': async (http, company, _, head) => {
      const sent: Sent & Record<string, string> = JSON.parse(await http.text())
      const row: FieldedRow = [...rowOf(company, sent, now()), ...fieldedNames.map((name) => sent[name] ?? '')]
      await bare.insertFielded(row)
      return created(row[1], fieldedText(row), head)
    },
    stream: async (_, company, __, { fixed }) => new Response(streamOf(bare.stream(company)), { headers: fixed }),
  }
}

function created(id: string, text: string, head: Head): Response {
  const response = answer(text, 201, head)
  response.headers.set('Location', `/rest/v1/project?id=eq.${id}`)
  return response
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
