import type { Engine } from './engine.ts'
import { fieldsSql } from './ten-fields.ts'

/** The SQL that differs between the engines when rows are created in bulk. */
interface Words {
  /** A number → an id that sorts by it. */
  id(group: string, number: string): string
  time(number: string): string
  /** A number → what the index of a field has of it. */
  indexKey(number: string): string
  readonly afterwards: readonly string[]
}

const words: Readonly<Record<Engine, Words>> = {
  sqlite: {
    id: (group, number) => `printf('0190${group}-0000-7000-8000-%012x', ${number})`,
    time: (number) => `strftime('%Y-%m-%dT%H:%M:%S', 1700000000 + ${number}, 'unixepoch') || '+00:00'`,
    indexKey: (number) => `'p' || printf('%02d', length(${number})) || ${number}`,
    afterwards: ['pragma wal_checkpoint(truncate)'],
  },
  postgres: {
    id: (group, number) => `('0190${group}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`,
    time: (number) => `to_timestamp(1700000000 + ${number})`,
    indexKey: (number) => `'p' || lpad(length(${number}::text)::text, 2, '0') || ${number}`,
    afterwards: ['vacuum (analyze)', 'checkpoint'],
  },
}

/** The numbers from `from + 1` to `to`. */
const numbers = (from: number, to: number): string =>
  `with recursive own(n) as (select ${from + 1} union all select n + 1 from own where n < ${to})`

export interface Span {
  readonly from: number
  readonly to: number
}

interface Projects extends Span {
  readonly perBid: number
  /** Of the ten fields that each row has; without it, there are none. */
  readonly fieldsVersion?: number
}

/** Projects `from` to `to` of a company, with a fixed number per bid. */
export function projectScript(engine: Engine, companyId: string, projects: Projects): string[] {
  const { perBid, fieldsVersion, from, to } = projects
  if (from >= to) return []
  const { id, time } = words[engine]
  const company = idOf(engine, companyId)
  const own = fieldsVersion === undefined ? [] : [fieldsOf(engine), String(fieldsVersion)]
  return [
    `insert into bid (company_id, id, bid_name, created_at, updated_at) ${numbers(from / perBid, to / perBid)}
     select ${company}, ${id('bbbb', 'n')}, 'Bid number ' || n, ${time('n')}, ${time('n')} from own`,
    `insert into project (company_id, id, bid_id, project_name, created_at, updated_at${own.length > 0 ? ', fields, fields_version' : ''}) ${numbers(from, to)}
     select ${[company, id('aaaa', 'n'), id('bbbb', `(n - 1) / ${perBid} + 1`), "'Project number ' || n", time('n'), time('n'), ...own].join(', ')} from own`,
  ]
}

const idOf = (engine: Engine, text: string): string => (engine === 'sqlite' ? `'${text}'` : `'${text}'::uuid`)
const fieldsOf = (engine: Engine): string => (engine === 'sqlite' ? fieldsSql : `(${fieldsSql})::json`)

/** What the index of a field has of these projects: their numbers. */
export function indexScript(engine: Engine, companyId: string, fieldId: string, { from, to }: Span): string[] {
  const { id, indexKey } = words[engine]
  return [
    `insert into field_value (company_id, field_id, row_id, value) ${numbers(from, to)}
     select ${idOf(engine, companyId)}, ${idOf(engine, fieldId)}, ${id('aaaa', 'n')}, ${indexKey('n')} from own`,
  ]
}

const fieldColumns =
  'id, resource, name, label, description, type, position, required, default_value, rules, choices, initial, start, transitions, indexed, indexed_at, archived_at, created_at, updated_at'

/** Gives the companies of `companyScript` the fields of another one. */
export function sameFieldsScript(engine: Engine, companyId: string, { from, to }: Span): string[] {
  const { id } = words[engine]
  const own = numbers(from, to)
  const of = idOf(engine, companyId)
  return [
    `insert into field (company_id, ${fieldColumns}) ${own} select ${id('cccc', 'n')}, ${fieldColumns} from own, field where company_id = ${of}`,
    `insert into field_set (company_id, resource, version, rewritten_version, pending, restored, deleted) ${own}
     select ${id('cccc', 'n')}, resource, version, rewritten_version, pending, restored, deleted from own, field_set where company_id = ${of}`,
    `update company set fields_version = (select fields_version from company where id = ${of}) where name like 'Company number %'`,
  ]
}

/** The id of the project or bid with this number. */
export const projectId = (number: number): string => madeId('aaaa', number)
export const bidId = (number: number): string => madeId('bbbb', number)
const madeId = (group: string, number: number) => `0190${group}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Companies, each with a bid and a project. */
export function companyScript(engine: Engine, { from, to }: Span): string[] {
  const { id, time } = words[engine]
  const own = numbers(from, to)
  const at = time('n')
  return [
    `insert into company (id, name, created_at) ${own} select ${id('cccc', 'n')}, 'Company number ' || n, ${at} from own`,
    `insert into bid (company_id, id, bid_name, created_at, updated_at) ${own} select ${id('cccc', 'n')}, ${id('bbbb', 'n')}, 'Bid', ${at}, ${at} from own`,
    `insert into project (company_id, id, bid_id, project_name, created_at, updated_at) ${own}
     select ${id('cccc', 'n')}, ${id('aaaa', 'n')}, ${id('bbbb', 'n')}, 'Project', ${at}, ${at} from own`,
  ]
}

/** Unused credentials of one company. */
export function credentialScript(engine: Engine, companyId: string, { from, to }: Span): string[] {
  const { id, time } = words[engine]
  const own = numbers(from, to)
  const company = idOf(engine, companyId)
  // Not a real key: it only has to take space in the index.
  const digits = (number: string) =>
    engine === 'sqlite' ? `printf('%038d', ${number})` : `lpad((${number})::text, 38, '0')`
  return [
    `insert into credential (id, company_id, name, api_key, access, created_at) ${own}
     select ${id('dddd', 'n')}, ${company}, 'Credential ' || n, 'pak_' || ${digits('n')}, 'read', ${time('n')} from own`,
    `insert into credential_secret (credential_id, id, digest, created_at) ${own}
     select ${id('dddd', 'n')}, ${id('eeee', 'n')}, ${digits('n')}, ${time('n')} from own`,
  ]
}

export const settleScript = (engine: Engine): readonly string[] => words[engine].afterwards
