import { latestResources } from '../fields/own-resources.ts'
import { printable } from '../people/printable.ts'
import { makePlan } from '../plan/make-plan.ts'
import { parseRequest } from '../request/parse-request.ts'
import type { Resource } from '../resources/define.ts'
import { bid } from '../resources/index.ts'
import type { Database } from '../store/database.ts'
import { execute } from '../store/execute.ts'
import type { Result } from '../store/result.ts'
import type { Command } from './command.ts'
import { operatorFor } from './operator.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

export interface Bid {
  readonly id: string
  readonly bid_name: string
}

const company = { value: 'ID_OR_NAME', meaning: 'The company', required: true } as const

export const bidCreate: Command = {
  summary: 'Create a bid',
  words: [],
  flags: { company, name: { value: 'NAME', meaning: 'Its name', required: true } },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const owner = await findCompany(db, flags.company ?? '')
      const { id, bid_name } = await createBid(db, owner.id, flags.name ?? '')
      return { json: { id, bid_name }, text: `Made the bid "${printable(bid_name)}" with the id ${id}.` }
    }),
}

export const bidList: Command = {
  summary: 'Show the bids of a company',
  words: [],
  flags: { company },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const owner = await findCompany(db, flags.company ?? '')
      const bids = await listBids(db, owner.id)
      return {
        json: bids,
        text: textTable(
          ['id', 'bid_name'],
          bids.map(({ id, bid_name }) => [id, bid_name]),
        ),
      }
    }),
}

/** Uses the same plans as the API. */
export async function createBid(db: Database, companyId: string, name: string): Promise<Bid> {
  const request = parseRequest('POST', 'select=id,bid_name', new Headers())
  const payload = { text: '', single: true, rows: [{ bid_name: name }] }
  const [resource, actor] = [await ownBid(db, companyId), await operatorFor(db, companyId)]
  const result = await execute(db, makePlan({ request, payload, resource, companyId, actor, rowsMax: null }))
  return JSON.parse(result.text)
}

async function listBids(db: Database, companyId: string): Promise<Bid[]> {
  const request = parseRequest('GET', 'select=id,bid_name', new Headers())
  const payload = { text: '', single: false, rows: [] }
  const question = { request, payload, resource: bid, companyId, actor: null, rowsMax: null }
  return rowsOf(await execute(db, makePlan(question)))
}

/** With the company's own fields, which a new bid may need. */
const ownBid = async (db: Database, companyId: string): Promise<Resource> =>
  (await latestResources(db, companyId)).find(({ name }) => name === bid.name) ?? bid

async function rowsOf({ text, parts }: Result): Promise<Bid[]> {
  const texts = parts ? await Array.fromAsync(parts) : [text]
  return texts.flatMap((part) => JSON.parse(`[${part}]`))
}
