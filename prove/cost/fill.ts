import { runScript } from '../../bench/engine.ts'
import type { EngineName } from '../proof.ts'
import { madeAt, numbers, words } from './words.ts'

/** A company in a database. */
export interface Place {
  readonly engine: EngineName
  readonly url: string
  readonly companyId: string
}

/** The company of the adversary with very many rows, and how many projects it has. */
export interface Filled extends Place {
  readonly rows: number
}

const letters = 'a'.repeat(255)
/** Long runs of one letter, which patterns are slow on; words; and names that differ. */
const name = `case n % 4 when 0 then '${letters}' when 1 then substr('${letters}', 1, n % 255 + 1)
  when 2 then 'Alpha beta ' || n else 'Project ' || n end`

/** One bid with half of all projects, and many with few. Rows that are there stay as they are. */
export async function fillCompany({ engine, url, companyId, rows }: Filled): Promise<void> {
  const { id, value, afterwards } = words[engine]
  const company = value(companyId, 'uuid')
  const times = `${value(madeAt, 'timestamptz')}, ${value(madeAt, 'timestamptz')}`
  const bids = Math.ceil(rows / 10)
  await runScript(url, [
    `insert into bid (company_id, id, bid_name, created_at, updated_at) ${numbers(bids)}
     select ${company}, ${id('n')}, ${name}, ${times} from own where true on conflict do nothing`,
    `insert into project (company_id, id, bid_id, project_name, created_at, updated_at) ${numbers(rows)}
     select ${company}, ${id('n')}, ${id(`case n % 2 when 0 then 0 else n % ${bids} end`)}, ${name}, ${times}
     from own where true on conflict do nothing`,
    ...afterwards,
  ])
}

/** Takes back what the adversary has changed, so that every request meets the same rows. */
export async function restoreCompany(filled: Filled): Promise<void> {
  const { engine, url, companyId } = filled
  const { value } = words[engine]
  const changed = `company_id = ${value(companyId, 'uuid')} and updated_at <> ${value(madeAt, 'timestamptz')}`
  await runScript(url, [
    `delete from project where ${changed}`,
    `delete from project where company_id = ${value(companyId, 'uuid')} and bid_id in (select id from bid where ${changed})`,
    `delete from bid where ${changed}`,
    `delete from event where company_id = ${value(companyId, 'uuid')}`,
  ])
  await fillCompany(filled)
}

/** What the settings pages count: uses in every hour of two days, and the activity of a company that is busy. */
export async function fillHistory({ engine, url, companyId, rows }: Filled): Promise<void> {
  const { id, value, hour } = words[engine]
  const company = value(companyId, 'uuid')
  const events = Math.min(20_000, rows)
  await runScript(url, [
    `insert into credential_usage (company_id, credential_id, secret_id, hour, outcome, requests) ${numbers(48)}
     select c.company_id, c.id, '', ${hour('n')}, 'ok', 1 from own, credential c where c.company_id = ${company}`,
    `insert into audit_event (company_id, id, actor, action, target, details, created_at) ${numbers(events)}
     select ${company}, ${id('n')}, 'somebody-' || n, 'credential.renamed', 'Credential', '{}', ${value(madeAt, 'timestamptz')} from own`,
  ])
}
