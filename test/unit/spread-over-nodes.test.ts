import { expect, test } from 'bun:test'
import { spreadOverNodes } from '../../src/store/cluster/spread.ts'
import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore, Database, Rows, Statements } from '../../src/store/database.ts'
import { render, type Sql, sql } from '../../src/store/sql.ts'
import { until } from '../support/service.ts'

const companyId = '01890a5d-ac96-774b-bcce-b302099a8057'
const tables = JSON.stringify({ event: 'event_102' })
const twoShards: Rows = [
  [-2147483648, -1, 'localhost', 9701, tables],
  [0, 2147483647, 'localhost', 9701, tables.replace('102', '103')],
]
const ofCluster: Rows = [
  [1, 'app 1700000000.000001'],
  [2, 'app 1700000000.000002'],
]

/** A store that answers what the spreading asks. Stores of companies only have a name, by which tests tell them apart. */
function stub(name: string, answers: readonly (readonly [question: string, rows: Rows])[]): Database {
  const read = async (statement: Sql): Promise<Rows> => {
    const text = render(statement, (position) => `$${position}`)
    const known = answers.find(([question]) => text.includes(question))
    if (!known) throw new Error(`${name} was asked: ${text}`)
    return known[1]
  }
  const forCompany = () => ({ companyId: name }) as CompanyStore
  const inquire: Database['inquire'] = (question, companyIds = []) => [
    {
      node: name,
      db: { background: { read } as Statements, readLong: read },
      statement: question(tableOfAllCompanies, companyIds),
    },
  ]
  return { read, forCompany, inquire, close: async () => {} } as unknown as Database
}

/** A cluster, after its node has been tried. */
async function spread(node: Database): Promise<Database> {
  const coordinator = stub('coordinator', [
    ['run_command_on_all_nodes', ofCluster],
    ['pg_dist_shard', twoShards],
  ])
  const throughCoordinator = stub('by way of the coordinator', [])
  const db = spreadOverNodes(coordinator, (address) => (address === null ? throughCoordinator : node))
  await until(() => db.forRows(companyId).companyId !== 'coordinator')
  await db.close()
  return db
}

/** Where the rows of a company are asked for. */
const chosenFor = async (node: Database): Promise<string> => (await spread(node)).forRows(companyId).companyId

/** Who is asked for the events of all companies, or of some, and how. */
const asked = async (node: Database, companyIds?: readonly string[]): Promise<string[]> =>
  (await spread(node))
    .inquire((table, ids) => sql`select 1 from ${table('event')} where ${ids.length}`, companyIds)
    .map((one) => `${one.node}: ${render(one.statement, () => String(one.statement.values))}`)

const nodeStartedAt = (time: string, name = 'localhost:9701') =>
  stub('node', [['pg_postmaster_start_time', [[`app ${time}`, name]]]])

test('a server that the coordinator reaches as well is used directly', async () => {
  expect(await chosenFor(nodeStartedAt('1700000000.000002'))).toBe('node')
})

test('a clone of the cluster, which was started at another time, is not used', async () => {
  expect(await chosenFor(nodeStartedAt('1700000099.000002'))).toBe('by way of the coordinator')
})

test('a node that does not know the tables is not used', async () => {
  expect(await chosenFor(stub('node', [['pg_postmaster_start_time', []]]))).toBe('by way of the coordinator')
})

test('a server without the extension is not used', async () => {
  expect(await chosenFor(stub('node', []))).toBe('by way of the coordinator')
})

test('each node is asked for what its own shards have', async () => {
  const node = nodeStartedAt('1700000000.000002')
  const [every] = await asked(node)
  expect(every).toBe(
    'localhost:9701: (select 1 from event_102 where 0,0) union all (select 1 from event_103 where 0,0)',
  )
  expect(await asked(node, [companyId])).toEqual([
    expect.stringMatching(/^localhost:9701: \(select 1 from event_10[23] where 1\)$/),
  ])
})

test('another node, or a way by the coordinator, is asked for whole tables, once', async () => {
  const elsewhere = nodeStartedAt('1700000000.000001', 'localhost:9700')
  expect(await asked(elsewhere)).toEqual(['node: select 1 from "event" where 0'])
  expect(await asked(stub('node', []), [companyId])).toEqual([
    'by way of the coordinator: select 1 from "event" where 1',
  ])
})
