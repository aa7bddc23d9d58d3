import { createBid } from '../../src/cli/bid.ts'
import { createCredential } from '../../src/keys/credentials.ts'
import { createCompany } from '../../src/people/companies.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'

/** A company, the port of the node that has its rows, and what its application sends. */
export interface Placed {
  readonly id: string
  readonly bid: string
  readonly port: number
  readonly headers: Readonly<Record<string, string>>
}

/** Companies until every node that has shards has one; the first of each. */
export async function companyOnEachNode(db: Database): Promise<Placed[]> {
  const [[nodes] = []] = await db.read(sql`
    select count(distinct p.groupid)::int from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid
    where s.logicalrelid = 'project'::regclass`)
  const found = new Map<number, Placed>()
  for (let tries = 0; found.size < Number(nodes) && tries < 100; tries += 1) {
    const { id } = await createCompany(db, `Company ${tries}`)
    const [[port] = []] = await db.read(sql`
      select n.nodeport from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
      where p.shardid = get_shard_id_for_distribution_column('project', ${id}::uuid)`)
    if (!found.has(Number(port))) found.set(Number(port), await furnish(db, id, Number(port)))
  }
  return [...found.values()].toSorted((a, b) => a.port - b.port)
}

/** A bid and a credential for a company. */
export async function furnish(db: Database, id: string, port: number): Promise<Placed> {
  const { id: bid } = await createBid(db, id, `Bid of ${id}`)
  const { apiKey, apiSecret } = await createCredential(db, {
    ...{ companyId: id, name: 'application', expiresAt: null },
    access: 'read-write',
  })
  return { id, bid, port, headers: { apikey: apiKey, 'X-API-Secret': apiSecret, 'Content-Type': 'application/json' } }
}

export const create = (base: string, { bid, headers }: Placed, name: string): Promise<Response> =>
  fetch(`${base}/rest/v1/project`, {
    method: 'POST',
    headers,
    body: JSON.stringify([{ bid_id: bid, project_name: name }]),
  })

export const list = (base: string, { headers }: Placed): Promise<Response> =>
  fetch(`${base}/rest/v1/project?limit=20`, { headers })
