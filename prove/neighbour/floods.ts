/** What a flood consists of. */
export const kinds = ['reads', 'writes', 'settings pages', 'searches', 'long statements'] as const

type Headers = Readonly<Record<string, string>>

/** All that a process needs to flood the service. */
export interface Flood {
  readonly kind: (typeof kinds)[number]
  readonly base: string
  /** Of each credential of the company, and of each session of its viewer. */
  readonly credentials: readonly Headers[]
  readonly sessions: readonly Headers[]
  /** Of each credential of another company, whose rows are few but take long to search. */
  readonly searchers: readonly Headers[]
  readonly bid: string
}

/** The request that a connection sends over and over. */
export function floodRequest({ kind, base, credentials, sessions, searchers, bid }: Flood, number: number) {
  const headers = credentials[number % credentials.length] ?? {}
  const session = sessions[number % sessions.length] ?? {}
  const projects = `${base}/rest/v1/project`
  switch (kind) {
    case 'reads':
      return { url: `${projects}?limit=20`, init: { headers } }
    case 'writes': {
      const body = JSON.stringify({ bid_id: bid, project_name: 'One of very many' })
      return { url: projects, init: { method: 'POST', headers, body } }
    }
    case 'settings pages':
      return { url: `${base}/api/${number % 2 === 0 ? 'overview' : 'credentials'}`, init: { headers: session } }
    case 'searches': {
      const searcher = searchers[number % searchers.length] ?? {}
      return { url: `${projects}?select=count()&project_name=fts.zq`, init: { headers: searcher } }
    }
    case 'long statements':
      // By turns one of more than 3,000 characters of SQL, and a short one that has to look at every row.
      return {
        url: `${projects}?${number % 2 === 0 ? `or=(${conditions})` : 'project_name=like.*a*b*'}`,
        init: { headers },
      }
  }
}

const conditions = Array.from({ length: 100 }, (_, at) => `project_name.eq.None ${at}`).join(',')
