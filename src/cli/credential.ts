import { revokeCredential } from '../keys/change.ts'
import { type Access, type Credential, credentialDocument, stateOf } from '../keys/credential.ts'
import { createCredential, findByIdOrKey, listCredentials } from '../keys/credentials.ts'
import { joinTokens } from '../keys/joined.ts'
import { accessOf, type Narrowing } from '../keys/narrowing.ts'
import { parseNarrowing } from '../keys/parse-narrowing.ts'
import { type GraceSeconds, graces, rotateCredential } from '../keys/rotate.ts'
import { commandLine } from '../people/audit.ts'
import { listCompanies } from '../people/companies.ts'
import { printable } from '../people/printable.ts'
import { resources } from '../resources/index.ts'
import type { Database } from '../store/database.ts'
import { parsePolicy } from '../traffic/rate-policy.ts'
import { durationMs } from '../types/duration.ts'
import { type Command, CommandError } from './command.ts'
import { parseGivenName } from './given-name.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

const company = { value: 'ID_OR_NAME', meaning: 'The company' } as const

export const credentialCreate: Command = {
  summary: 'Create an API key with its secret',
  words: [],
  flags: {
    company: { ...company, required: true },
    name: { value: 'NAME', meaning: 'What it is for', required: true },
    access: { value: 'read|read-write', meaning: 'What it may do (read-write)' },
    resources: { value: 'NAME,NAME', meaning: 'Nothing but these (all)' },
    may: { value: 'read,create', meaning: 'Some of read, create, change, delete (what --access says)' },
    from: { value: 'CIDR,CIDR', meaning: 'Networks that it may be used from: 10.0.0.0/8,2001:db8::/32 (all)' },
    'rate-limit': { value: '100/s', meaning: 'Requests that it may send: 100/s, or 6000/m in a minute (none)' },
    expires: { value: '90d', meaning: 'When it ends: days, hours (12h) or a date (never)' },
  },
  run: ({ flags, config }) => {
    const narrowing = narrowingOf(flags)
    const access = narrowing.may ? accessOf(narrowing.may) : parseAccess(flags.access ?? 'read-write')
    const expiresAt = flags.expires === undefined ? null : parseExpiry(flags.expires, new Date())
    const rateLimit = parseRateLimit(flags['rate-limit'] ?? 'none')
    const name = parseGivenName('The name of a credential', flags.name ?? '')
    return withDatabase(config, async (db) => {
      const owner = await findCompany(db, flags.company ?? '')
      const { credentialsMax } = config
      const wanted = { companyId: owner.id, name, access, narrowing, expiresAt, rateLimit, credentialsMax }
      const made = await createCredential(db, wanted)
      const text = `Made "${made.name}" for ${printable(owner.name)}. The secret is shown only once.\n\n${tokenLines(made)}`
      return { json: { ...documentOf(made), ...secretOf(made) }, text }
    })
  },
}

export const credentialList: Command = {
  summary: 'Show credentials, without their secrets',
  words: [],
  flags: { company },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const owner = flags.company === undefined ? null : await findCompany(db, flags.company)
      const credentials = await listCredentials(db, owner?.id ?? null)
      const companies = new Map((await listCompanies(db)).map(({ id, name }) => [id, name]))
      const rows = credentials.map((one) => [
        one.id,
        companies.get(one.companyId) ?? '',
        one.name,
        one.apiKey,
        accessText(one),
        one.rateLimit ?? 'none',
        shownState(one),
      ])
      const names = ['id', 'company', 'name', 'api_key', 'access', 'rate_limit', 'state']
      return { json: credentials.map(documentOf), text: textTable(names, rows) }
    }),
}

export const credentialRotate: Command = {
  summary: 'Give a credential a new secret',
  words: ['ID_OR_KEY'],
  flags: { grace: { value: Object.keys(graces).join('|'), meaning: 'How long the old secret still works (24h)' } },
  run: ({ words: [id = ''], flags, config }) => {
    const graceSeconds = parseGrace(flags.grace ?? '24h')
    return withDatabase(config, async (db) => {
      const known = await findCredential(db, id)
      const { apiSecret } = await rotateCredential(db, known, { graceSeconds, by: commandLine })
      const issued = { apiKey: known.apiKey, apiSecret }
      const old = graceSeconds === 0 ? 'The old one has ended' : `The old one works for another ${flags.grace ?? '24h'}`
      const text = `"${printable(known.name)}" has a new secret, which is shown only once. ${old}.\n\n${tokenLines(issued)}`
      return { json: { ...documentOf(known), ...secretOf(issued), grace_seconds: graceSeconds }, text }
    })
  },
}

export const credentialRevoke: Command = {
  summary: 'Revoke a credential permanently',
  words: ['ID_OR_KEY'],
  flags: {},
  run: ({ words: [id = ''], config }) =>
    withDatabase(config, async (db) => {
      const known = await findCredential(db, id)
      const revoked = await revokeCredential(db, known)
      return {
        json: { id: known.id, revoked: true },
        text: revoked ? `Revoked "${printable(known.name)}".` : `"${printable(known.name)}" was revoked before.`,
      }
    }),
}

export async function findCredential(db: Database, text: string): Promise<Credential> {
  const known = await findByIdOrKey(db, text)
  if (!known) throw new CommandError(`There is no credential "${text}". "credential list" shows them.`)
  return known
}

interface Issued {
  readonly apiKey: string
  readonly apiSecret: string
}

const tokenLines = ({ apiKey, apiSecret }: Issued): string =>
  [
    `  API key     ${apiKey}`,
    `  API secret  ${apiSecret}`,
    '',
    'For tools with one field, both joined by a dot:',
    '',
    `  ${joinTokens(apiKey, apiSecret)}`,
  ].join('\n')

const secretOf = ({ apiKey, apiSecret }: Issued) => ({
  api_secret: apiSecret,
  api_key_and_secret: joinTokens(apiKey, apiSecret),
})

const documentOf = (credential: Credential) => ({
  ...credentialDocument(credential, new Date()),
  company_id: credential.companyId,
})

function shownState(credential: Credential): string {
  const state = stateOf(credential, new Date())
  return state === 'active' && credential.exposedAt ? 'active, seen in a browser' : state
}

export function parseGrace(text: string): GraceSeconds {
  const [, seconds] = Object.entries(graces).find(([name]) => name === text) ?? []
  if (seconds === undefined)
    throw new CommandError(`--grace must be one of ${Object.keys(graces).join(', ')}, but is "${text}".`, 2)
  return seconds
}

function parseRateLimit(text: string): string | null {
  if (text === 'none') return null
  if (!parsePolicy(text)) throw new CommandError(`--rate-limit must be like 100/s or 6000/m, but is "${text}".`, 2)
  return text
}

function parseAccess(text: string): Access {
  if (text !== 'read' && text !== 'read-write')
    throw new CommandError(`--access must be read or read-write, but is "${text}".`, 2)
  return text
}

/** `--resources project --may read,create --from 10.0.0.0/8` */
const narrowingOf = ({ resources: only, may, from }: Readonly<Record<string, string | undefined>>): Narrowing =>
  parseNarrowing({ resources: listed(only), may: listed(may), addresses: listed(from) }, { known, refuse })

const known: readonly string[] = resources.map(({ name }) => name)

const listed = (text: string | undefined): readonly string[] | null =>
  text === undefined ? null : text.split(',').map((part) => part.trim())

const refuse = (part: string, what: string, hint: string): CommandError =>
  new CommandError(`--${part === 'addresses' ? 'from' : part} ${what}. ${hint}`, 2)

/** `read,create project from 10.0.0.0/8` */
const accessText = ({ access, may, resources: only, addresses }: Credential): string =>
  [may?.join(',') ?? access, only?.join(','), addresses && `from ${addresses.join(',')}`].filter(Boolean).join(' ')

/** `90d`, `12h` or `2027-01-31` */
function parseExpiry(text: string, now: Date): Date {
  const ms = durationMs(text)
  const moment = new Date(ms === null ? text : now.getTime() + ms)
  if (Number.isNaN(moment.getTime()) || moment <= now) {
    throw new CommandError(
      `--expires must be days (90d), hours (12h) or a future date (2027-01-31), but is "${text}".`,
      2,
    )
  }
  return moment
}
