import { expect, test } from 'bun:test'
import { spreadOverNodes } from '../../src/store/cluster/spread.ts'
import type { CompanyStore, Database, Rows } from '../../src/store/database.ts'
import { render, type Sql } from '../../src/store/sql.ts'
import { until } from '../support/service.ts'

const companyId = '01890a5d-ac96-774b-bcce-b302099a8057'
const oneShard: Rows = [[-2147483648, 2147483647, 'localhost', 9701]]
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
  return { read, forCompany, close: async () => {} } as unknown as Database
}

/** Where the rows of a company are asked for, after the node has been tried. */
async function chosenFor(node: Database): Promise<string> {
  const coordinator = stub('coordinator', [
    ['run_command_on_all_nodes', ofCluster],
    ['pg_dist_shard', oneShard],
  ])
  const throughCoordinator = stub('by way of the coordinator', [])
  const db = spreadOverNodes(coordinator, (address) => (address === null ? throughCoordinator : node))
  const chosen = () => db.forRows(companyId).companyId
  await until(() => chosen() !== 'coordinator')
  await db.close()
  return chosen()
}

const nodeStartedAt = (time: string) => stub('node', [['pg_postmaster_start_time', [[`app ${time}`]]]])

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
