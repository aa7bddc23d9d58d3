import type { Question } from '../database.ts'
import { definedSql, join, type Sql, sql } from '../sql.ts'
import type { Shard } from './node-map.ts'

/** A shard, and those of its companies that are asked for. */
export type ShardOf = readonly [shard: Shard, companyIds: readonly string[]]

/** A question as one node answers it by itself, from its own shards. */
export function shardStatement(question: Question, shards: readonly ShardOf[]): Sql {
  const parts = shards.map(
    ([{ tables }, companyIds]) => sql`(${question((name) => definedSql(tables[name] ?? name), companyIds)})`,
  )
  return join(parts, ' union all ')
}
