import { type Check, type Finding, judgeAll, type NamedFinding, ok, problem, warning } from '../check.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { askNodes } from './ask-nodes.ts'

/** The server settings of one node, as `show` gives them. */
export interface NodeFacts {
  readonly settings: ReadonlyMap<string, string>
}

/** What a cluster needs of each node, in addition to what every server is checked for. */
const clusterChecks: readonly Check<NodeFacts>[] = [
  {
    name: 'wal_level',
    judge: ({ settings }) => {
      const level = settings.get('wal_level') ?? ''
      const set = 'Set wal_level = logical in postgresql.conf, and restart PostgreSQL'
      return level === 'logical' ? ok(level) : warning(`${level}: shards cannot be moved while writes go on`, set)
    },
  },
  { name: 'output_plugin_libraries', judge: judgePlugins },
]

/** Minor versions of 2026 and later refuse an output plugin that is not listed. Earlier ones do not have the setting. */
function judgePlugins({ settings }: NodeFacts): Finding {
  const listed = settings.get('output_plugin_libraries')
  if (listed === undefined || listed.split(/[\s,"']+/).includes('citus')) return ok(listed ?? 'any')
  return problem(
    `"${listed}" is without citus: shards cannot be split or moved while writes go on`,
    "Run on the node: alter system set output_plugin_libraries = 'pgoutput, test_decoding, citus'; select pg_reload_conf();",
  )
}

const settingsOfNode = `select json_object_agg(name, setting) from pg_settings`

/** One finding for each node where all is well, and otherwise one for each thing that is not. */
export async function examineNodes(
  db: Database,
  serverChecks: readonly Check<NodeFacts>[],
): Promise<readonly NamedFinding[]> {
  const nodes = await db.read(sql`select nodeid, nodename || ':' || nodeport from pg_dist_node order by groupid`)
  const answers = await askNodes(db, settingsOfNode)
  return nodes.flatMap(([id, address]) => {
    const name = `node ${address}`
    const answer = answers.get(Number(id))
    if (answer === undefined) return [{ name, ...problem('does not answer', 'Start it, or promote its standby') }]
    const settings = new Map(Object.entries<string>(JSON.parse(answer)))
    const found = judgeAll([...serverChecks, ...clusterChecks], { settings })
    const bad = found.filter(({ state }) => state !== 'ok').map((one) => ({ ...one, name: `${name}: ${one.name}` }))
    return bad.length > 0 ? bad : [{ name, ...ok(`PostgreSQL ${settings.get('server_version')}, all settings good`) }]
  })
}
