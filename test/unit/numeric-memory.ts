import { Database as SqliteEngine } from 'bun:sqlite'
import { defineFunctions } from '../../src/store/sqlite/sqlite-functions.ts'
import { type AggregateName, aggregated } from '../support/aggregated.ts'

const [count, length] = [40_000, 2000]

/** `bun numeric-memory.ts sum`: prints by how much it has grown to put so many numerics together. */
const engine = new SqliteEngine(':memory:')
defineFunctions(engine)
const values = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select '1.' || printf('%.*c', ${length}, '5') as value from n`
const before = process.memoryUsage.rss()
const found = String(aggregated(engine, process.argv[2] as AggregateName, values))
if (found.length <= length) throw new Error(`Not what was asked for: ${found}`)
console.log(JSON.stringify({ valueBytes: count * length, grownBytes: process.memoryUsage.rss() - before }))
