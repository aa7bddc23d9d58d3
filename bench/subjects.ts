import type { Engine } from './engine.ts'
import { bidId, projectId } from './fill.ts'
import type { Caller, Place } from './place.ts'

/** What the service is measured against. */
export interface Rival {
  readonly name: string
  readonly path: string
  /** The share of its speed that the service should reach. */
  readonly target: number
}

/** The request that is repeated. */
export interface Subject {
  readonly name: string
  readonly title: string
  readonly caller: Caller
  /** The path and query of the service. */
  readonly path: string
  readonly rivals: readonly Rival[]
  /** null: a GET. */
  readonly body: string | null
  /** How many requests are sent at once, where it is not as many as usual. */
  readonly connections?: number
}

/** Of 64 large writes at once, many would be unfinished at the end of a round, and their work would count for nothing. */
const bulkConnections = 8

const rest = '/rest/v1/project'

export function makeSubjects({ engine, small, middle, writer }: Place): readonly Subject[] {
  const bid = bidId(3)
  const embed = `${rest}?select=id,project_name,created_at,bid(id,bid_name)&bid_id=eq.${bid}&order=created_at.desc&limit=20`
  const row = { bid_id: writer.bidId, project_name: 'A project' }
  const many = Array.from({ length: 1000 }, (_, at) => ({ ...row, project_name: `Project number ${at + 1}` }))
  const read = { body: null, caller: middle.caller }
  const write = { path: rest, caller: writer.caller }
  return [
    {
      ...{ name: 'list-20', title: 'list 20 rows', body: null, caller: small.caller, path: rest },
      rivals: bothWays('bare', '/list', 0.8),
    },
    {
      ...{ name: 'get', title: 'one project by id', ...read, path: `${rest}?id=eq.${projectId(500)}` },
      rivals: bothWays('bare', `/get/${projectId(500)}`, 0.75),
    },
    {
      ...{ name: 'embed', title: 'filter, order, limit, and the bid of each', ...read, path: embed },
      rivals: bothWays('hand-written SQL', `/embed/${bid}`, 0.7),
    },
    {
      ...{ name: 'create', title: 'create one project', ...write, body: JSON.stringify(row) },
      rivals: creators[engine],
    },
    {
      ...{ name: 'bulk-1000', title: 'create 1,000 projects', ...write, body: JSON.stringify(many) },
      connections: bulkConnections,
      rivals: [
        {
          name: engine === 'sqlite' ? 'bare prepared loop' : 'bare multi-row insert',
          path: '/least/bulk',
          target: 0.6,
        },
      ],
    },
  ]
}

/** The rival to compare with, and the minimum that is possible at all. */
export const bothWays = (name: string, path: string, target: number): Rival[] => [
  { name, path: `/whole${path}`, target },
  { name: `${name}, credential remembered, one header`, path: `/least${path}`, target },
]

const creators: Readonly<Record<Engine, readonly Rival[]>> = {
  sqlite: [
    ...bothWays('bare, group commit', '/create', 0.75),
    { name: 'bare, a commit each', path: '/least/create-alone', target: 1.7 },
  ],
  postgres: bothWays('bare', '/create-alone', 0.75),
}

/** Of companies with fields of their own: see `makeFieldedSubjects`. */
export const fieldedNames: readonly string[] = ['fields-list-20', 'fields-create', 'fields-create-quiet']

export const subjectNames: readonly string[] = [
  ...['list-20', 'get', 'embed', 'create', 'bulk-1000', 'stream'],
  ...fieldedNames,
]
