import type { Config } from '../config/config.ts'
import { ApiError } from '../errors/index.ts'
import { citusVersion, distribute, isolate, listUndistributed, obstacleOf } from '../store/cluster/cluster.ts'
import { type BigCompany, listBiggest, listNodes, type Node } from '../store/cluster/cluster-status.ts'
import type { Database } from '../store/database.ts'
import { engineOf } from '../store/open.ts'
import { type Command, CommandError } from './command.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase, withNewDatabase } from './with-database.ts'

const shardsDefault = 128
const shardsMax = 4096

export const clusterDistribute: Command = {
  summary: 'Spread the tables over the nodes of a Citus cluster, each company on one of them',
  words: [],
  flags: {
    shards: { value: 'NUMBER', meaning: `Into how many parts (${shardsDefault}); more than there will be nodes` },
  },
  run: async ({ flags, config }) => {
    const shards = parseShards(flags.shards)
    return onCluster(withNewDatabase, config, async (db) => {
      const tables = await listUndistributed(db)
      if (tables.length > 0) await distribute(db, tables, shards)
      return {
        json: { distributed: tables },
        text: tables.length === 0 ? 'All tables were distributed before.' : `Distributed ${tables.join(', ')}.`,
      }
    })
  },
}

export const clusterStatus: Command = {
  summary: 'Show the nodes of a Citus cluster, their shards, and the biggest companies',
  words: [],
  flags: {},
  run: ({ config }) =>
    onCluster(withDatabase, config, async (db) => {
      const missing = await listUndistributed(db)
      const citus = await citusVersion(db)
      if (missing.length > 0)
        return {
          json: { citus, missing },
          text: `Not distributed yet: ${missing.join(', ')}. Run "cluster distribute".`,
          exitCode: 1,
        }
      const nodes = await listNodes(db)
      const isWhole = nodes.every(({ active }) => active)
      const biggest = isWhole ? await listBiggest(db, 10) : []
      const companies = isWhole
        ? companyTable(biggest)
        : 'The projects of companies cannot be counted while a node is away.'
      return {
        json: { citus, missing, nodes, biggest },
        text: `${nodeTable(nodes)}\n\n${companies}`,
        exitCode: isWhole ? 0 : 1,
      }
    }),
}

export const clusterIsolate: Command = {
  summary: 'Give one company a shard of its own, which can then be moved to a node of its own',
  words: ['COMPANY'],
  flags: {},
  run: ({ words: [idOrName = ''], config }) =>
    onCluster(withDatabase, config, async (db) => {
      const { id, name } = await findCompany(db, idOrName)
      const shard = await isolate(db, id)
      return { json: { company: id, shard }, text: `"${name}" now has the shard ${shard} for itself.` }
    }),
}

/** In effect no limit: moving rows between nodes may take very long. */
const clusterTimeoutMs = 7 * 24 * 3_600_000

async function onCluster<Result>(
  open: typeof withDatabase,
  config: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!engineOf(config.databaseUrl).canDistribute)
    throw new CommandError('A cluster is made of PostgreSQL servers with Citus. Set DATABASE_URL to its coordinator.')
  return open({ ...config, statementTimeoutMs: clusterTimeoutMs }, async (db) => {
    const obstacle = await obstacleOf(db)
    if (obstacle) throw new CommandError(`${obstacle}.`)
    return work(db).catch((error: unknown) => {
      if (error instanceof CommandError || error instanceof ApiError) throw error
      throw new CommandError(`Citus refused: ${error instanceof Error ? error.message : error}.`)
    })
  })
}

function parseShards(text: string | undefined): number {
  const shards = Number(text ?? shardsDefault)
  if (Number.isInteger(shards) && shards >= 1 && shards <= shardsMax) return shards
  throw new CommandError(`--shards must be a whole number from 1 to ${shardsMax}.`, 2)
}

const nodeTable = (nodes: readonly Node[]): string =>
  textTable(
    ['node', 'role', 'shards', 'size'],
    nodes.map(({ name, role, active, shards, bytes }) => [
      name,
      active ? role : `${role}, away`,
      String(shards),
      bytes === null ? 'unknown' : sizeOf(bytes),
    ]),
  )

const companyTable = (companies: readonly BigCompany[]): string =>
  textTable(
    ['company', 'name', 'projects', 'shard', 'node', 'size of its shard'],
    companies.map(({ id, name, projects, shard, node, shardBytes }) => [
      ...[id, name, projects.toLocaleString('en-US'), shard, node, sizeOf(shardBytes)],
    ]),
  )

const sizeOf = (bytes: number): string =>
  `${(bytes / 2 ** 20).toLocaleString('en-US', { maximumFractionDigits: 0 })} MiB`
