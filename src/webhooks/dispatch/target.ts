import type { Companies } from '../../store/database.ts'
import { sql } from '../../store/sql.ts'
import { type Endpoint, secretsOf } from '../endpoint.ts'
import { readEndpoint } from '../endpoints.ts'
import type { Seal } from '../seal.ts'

/** Where a message goes, and what it is signed with. */
export interface Target {
  readonly url: string
  readonly secrets: readonly string[]
}

/** null: nothing more is sent. */
export type FindTarget = () => Promise<Target | null>

/** For how long an endpoint is taken to be as it was read. */
const freshMs = 1000

/** Where to send to now: an endpoint may be changed, disabled or deleted while it is sent to, or its company. */
export function followTarget(db: Companies, seal: Seal, found: Endpoint): FindTarget {
  const targetOf = (endpoint: Endpoint | null): Target | null =>
    endpoint === null || endpoint.disabledAt !== null
      ? null
      : { url: endpoint.url, secrets: secretsOf(seal, endpoint, new Date()) }
  const read = async (): Promise<Target | null> =>
    (await isEnding(db, found)) ? null : targetOf(await readEndpoint(db.forRows(found.companyId), found.id))
  let target = Promise.resolve(targetOf(found))
  let readAt = performance.now()
  return () => {
    if (performance.now() - readAt > freshMs) {
      readAt = performance.now()
      target = read()
    }
    return target
  }
}

/** Whether the company of an endpoint is being deleted. */
async function isEnding(db: Companies, { companyId }: Endpoint): Promise<boolean> {
  const rows = await db
    .forCompany(companyId)
    .read(sql`select 1 from company where id = ${companyId} and delete_after is not null`)
  return rows.length > 0
}
