import { runScript } from '../../bench/engine.ts'
import { archiveField } from '../../src/fields/change-field.ts'
import { createField } from '../../src/fields/fields.ts'
import type { Database } from '../../src/store/database.ts'
import { sealedFor } from '../../src/webhooks/endpoint.ts'
import { createSeal } from '../../src/webhooks/seal.ts'
import { makeSecret } from '../../src/webhooks/sign.ts'
import { peopleSettings } from '../people.ts'
import { withDatabase } from '../stage.ts'
import type { Place } from './fill.ts'
import { archivedFields, archivedRow, largeRow, largestRow, liveFields } from './large-fields.ts'
import type { Amounts } from './limits.ts'
import { madeAt, numbers, words } from './words.ts'

/** The company of the adversary with few rows, which are as large as they may be. */
export interface Large extends Place, Amounts {
  /** The archived fields that it could have beside the others. */
  readonly archived: readonly string[]
}

/** The number of the first of the largest projects. Those with texts of every kind begin with 0. */
const largestFrom = 10_000
/** Of these, some have values in archived fields, too. */
const archivedFrom = 100
const archivedCount = 20
/** Bids, of which there are as many of each kind. */
const bidsMax = 200

export async function fillLarge(place: Place, amounts: Amounts): Promise<Large> {
  const { url } = place
  const archived = await withDatabase(url, (db) => defineFields(db, place))
  const large = { ...place, ...amounts, archived }
  await runScript(url, [
    ...settled(place),
    ...removed(place, historyTables),
    ...rowsOf(large),
    ...historyOf(large),
    ...webhooksOf(place),
    ...words[place.engine].afterwards,
  ])
  return large
}

/** Takes back what requests have written into rows. */
export async function restoreLargeRows(large: Large): Promise<void> {
  const company = companyIn(large)
  const changed = `company_id = ${company} and updated_at <> ${words[large.engine].value(madeAt, 'timestamptz')}`
  await runScript(large.url, [
    ...['project', 'bid'].map((name) => `delete from ${name} where ${changed}`),
    `delete from event where company_id = ${company} and sequence > ${eventsOf(large)}`,
    ...removed(large, deliveryTables),
    `update webhook_endpoint set failing_since = null, queued_sequence = (select last_sequence from event_counter
      where event_counter.company_id = webhook_endpoint.company_id) where company_id = ${company}`,
    ...rowsOf(large),
    ...words[large.engine].afterwards,
  ])
}

const deliveryTables = ['webhook_delivery', 'webhook_attempt', 'webhook_due']
const fieldTables = ['field', 'field_set', 'field_value']
const historyTables = ['event', 'event_counter', 'audit_event', 'request_log']

/** The same with its fields and webhooks. The service has to be started over. */
export async function restoreLarge(large: Large): Promise<void> {
  const tables = ['project', 'bid', 'webhook_endpoint', ...deliveryTables, ...fieldTables, ...historyTables]
  await runScript(large.url, removed(large, tables))
  await fillLarge(large, large)
}

const companyIn = ({ engine, companyId }: Place): string => words[engine].value(companyId, 'uuid')

/** Archived fields where there is room for them beside the others. Returns their names. */
async function defineFields(db: Database, place: Place): Promise<readonly string[]> {
  const archived = archivedFields('project')
  const kept = await defineProjects(db, place, archived).then(
    () => archived,
    async () => {
      await runScript(place.url, removed(place, ['field', 'field_set']))
      await defineProjects(db, place, [])
      return []
    },
  )
  for (const field of liveFields('bid')) await createField(db, place.companyId, field)
  return kept.map(({ name }) => name)
}

async function defineProjects(db: Database, { companyId }: Place, archived: ReturnType<typeof archivedFields>) {
  for (const field of archived) {
    const { id } = await createField(db, companyId, field)
    await archiveField(db, { companyId, id })
  }
  for (const field of liveFields('project')) await createField(db, companyId, field)
}

const removed = (place: Place, tables: readonly string[]): string[] =>
  tables.map((name) => `delete from ${name} where company_id = ${companyIn(place)}`)

/** Rows are made for the fields as they are, so that nothing is left to do for them. Fields have numbers in their order. */
function settled(place: Place): readonly string[] {
  const { id } = words[place.engine]
  const own = `company_id = ${companyIn(place)}`
  return [
    `update field_set set rewritten_version = version, pending = 0 where ${own}`,
    ...liveFields('project').map(
      ({ name }, at) =>
        `update field set id = ${id(String(at))} where ${own} and resource = 'project' and name = '${name}'`,
    ),
  ]
}

/** Rows that are there stay as they are. */
function rowsOf(large: Large): readonly string[] {
  const { engine, largest, large: many, archived } = large
  const { id, value } = words[engine]
  const company = companyIn(large)
  const times = `${value(madeAt, 'timestamptz')}, ${value(madeAt, 'timestamptz')}`
  const isArchived = `n between ${archivedFrom} and ${archivedFrom + archivedCount - 1}`
  const kept =
    archived.length === 0 ? 'null' : `case when ${isArchived} then ${value(archivedRow(archived), 'json')} end`
  const kinds = [
    { from: 0, count: many, fields: largeRow, kept },
    { from: largestFrom, count: largest, fields: largestRow, kept: 'null' },
  ]
  const versionOf = (resource: string) =>
    `(select version from field_set where company_id = ${company} and resource = '${resource}')`
  const stored = 'created_at, updated_at, fields, archived_fields, fields_version'
  return kinds.flatMap(({ from, count, fields, kept: old }) => [
    `insert into bid (company_id, id, bid_name, ${stored}) ${numbers(Math.min(bidsMax, count))}
     select ${company}, ${id(`n + ${from}`)}, 'a', ${times}, ${value(fields, 'json')}, null, ${versionOf('bid')}
     from own where true on conflict do nothing`,
    `insert into project (company_id, id, bid_id, project_name, ${stored}) ${numbers(count)}
     select ${company}, ${id(`n + ${from}`)}, ${id('0')}, '${from === 0 ? 'large' : 'largest'}', ${times}, ${value(fields, 'json')}, ${old}, ${versionOf('project')}
     from own where true on conflict do nothing`,
  ])
}

/** Changes of the largest rows, one in six of which is kept as an event. */
const eventsOf = ({ largest }: Amounts): number => Math.ceil(largest / 6)
/** Fewer than are read elsewhere than in the thread of all. */
const historyMax = 4000
const longPath = `/rest/v1/project?${Array(5)
  .fill(`${'a'.repeat(195)}=${'a'.repeat(195)}`)
  .join('&')}`

/** Events, and what pages of the settings app search: targets and paths as long as they can be. */
function historyOf(large: Large): readonly string[] {
  const { engine } = large
  const { id, value, list } = words[engine]
  const company = companyIn(large)
  const at = value(madeAt, 'timestamptz')
  const row = `{"id":"00000000-0000-4000-8000-000000010000","bid_id":"00000000-0000-4000-8000-000000000000","project_name":"largest","created_at":"${madeAt}","updated_at":"${madeAt}",${largestRow.slice(1)}`
  const events = eventsOf(large)
  const rows = Math.min(historyMax, 10 * events)
  return [
    `insert into event (company_id, sequence, id, type, resource, row_id, row, changed, previous, created_at, actor_kind) ${numbers(events)}
     select ${company}, n + 1, ${id('n')}, 'project.updated', 'project', ${id(String(largestFrom))}, ${value(row, 'json')}, ${list('text_0')}, ${value(row, 'json')}, ${at}, 'credential' from own`,
    `insert into event_counter (company_id, last_sequence) values (${company}, ${events})`,
    `insert into audit_event (company_id, id, actor, action, target, details, created_at) ${numbers(rows)}
     select ${company}, ${id('n')}, 'somebody-' || n, 'webhook.created', 'https://example.com/${'a'.repeat(1969)}', '{}', ${at} from own`,
    `insert into request_log (company_id, id, credential_id, created_at, method, path, outcome, status, ms, left_out) ${numbers(rows)}
     select ${company}, ${id('n')}, ${id('n')}, ${at}, 'GET', '${longPath}', 'ok', 200, 1, 0 from own`,
  ]
}

/** A phrase that is tried at each word, and chooses nothing: about the longest that is accepted. */
const slowFilter = `text_0=not.phfts.${'a '.repeat(45)}`

/** Those that choose among what is created, one for all changes to which nobody listens, and some whose names nobody knows. */
function webhooksOf(place: Place): readonly string[] {
  const seal = createSeal([peopleSettings.AUTH_SECRET])
  const { value } = words[place.engine]
  const closed = 'http://127.0.0.1:9/'
  const wanted = [
    ...Array(2).fill({ url: closed, types: '["project.created"]', filter: slowFilter }),
    { url: closed, types: '["project.updated"]', filter: '' },
    ...Array.from({ length: 10 }, (_, at) => ({
      url: `https://name-${at}.prove.invalid/`,
      types: '["bid.deleted"]',
      filter: '',
    })),
  ]
  return wanted.map(({ url, types, filter }, at) => {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
    const secret = seal.close(makeSecret(), sealedFor({ companyId: place.companyId, id }))
    return `insert into webhook_endpoint (company_id, id, url, types, filter, secret, queued_sequence, created_at, created_by)
      values (${companyIn(place)}, ${value(id, 'uuid')}, '${url}', '${types}', '${filter}', '${secret}',
        (select last_sequence from event_counter where company_id = ${companyIn(place)}), ${value(madeAt, 'timestamptz')}, 'Owner')`
  })
}
