import {
  type Access,
  type Credential,
  createCredential,
  listCredentials,
  revokeCredential,
} from '../keys/credentials.ts'
import { type Command, CommandError } from './command.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

const company = { value: 'ID_OR_NAME', meaning: 'The company' } as const

export const credentialCreate: Command = {
  summary: 'Make an API key with its secret',
  words: [],
  flags: {
    company: { ...company, required: true },
    name: { value: 'NAME', meaning: 'What it is for', required: true },
    access: { value: 'read|read-write', meaning: 'What it may do (read-write)' },
    expires: { value: '90d', meaning: 'When it ends: days, hours (12h) or a date (never)' },
  },
  run: ({ flags, config }) => {
    const access = parseAccess(flags.access ?? 'read-write')
    const expiresAt = flags.expires === undefined ? null : parseExpiry(flags.expires, new Date())
    if (flags.name?.trim() === '') throw new CommandError('A credential needs a name that is not blank.', 2)
    return withDatabase(config, async (db) => {
      const owner = await findCompany(db, flags.company ?? '')
      const made = await createCredential(db, { companyId: owner.id, name: flags.name ?? '', access, expiresAt })
      const text = `Made "${made.name}" for ${owner.name}. The secret is shown this once only.\n\n  API key     ${made.apiKey}\n  API secret  ${made.apiSecret}`
      return { json: { ...documentOf(made), api_secret: made.apiSecret }, text }
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
      const rows = credentials.map((one) => [one.id, one.name, one.apiKey, one.access, stateOf(one, new Date())])
      return { json: credentials.map(documentOf), text: textTable(['id', 'name', 'api_key', 'access', 'state'], rows) }
    }),
}

export const credentialRevoke: Command = {
  summary: 'End a credential for good',
  words: ['ID'],
  flags: {},
  run: ({ words: [id = ''], config }) =>
    withDatabase(config, async (db) => {
      const known = (await listCredentials(db, null)).find((one) => one.id === id || one.apiKey === id)
      if (!known) throw new CommandError(`There is no credential "${id}". "credential list" shows them.`)
      const revoked = await revokeCredential(db, known.id)
      return {
        json: { id: known.id, revoked: true },
        text: revoked ? `Revoked "${known.name}".` : `"${known.name}" was revoked before.`,
      }
    }),
}

function documentOf({
  id,
  companyId,
  name,
  apiKey,
  access,
  createdAt,
  expiresAt,
  revokedAt,
  exposedAt,
}: Credential): Record<string, unknown> {
  return {
    id,
    name,
    api_key: apiKey,
    access,
    company_id: companyId,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    exposed_at: exposedAt,
  }
}

function stateOf({ revokedAt, expiresAt, exposedAt }: Credential, now: Date): string {
  if (revokedAt) return 'revoked'
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) return 'expired'
  return exposedAt ? 'active, seen in a browser' : 'active'
}

function parseAccess(text: string): Access {
  if (text !== 'read' && text !== 'read-write')
    throw new CommandError(`--access must be read or read-write, but is "${text}".`, 2)
  return text
}

const unitMs = { d: 86_400_000, h: 3_600_000 } as const

/** `90d`, `12h` or `2027-01-31` */
function parseExpiry(text: string, now: Date): Date {
  const [, amount, unit] = /^(\d{1,5})([dh])$/.exec(text) ?? []
  const moment = amount ? new Date(now.getTime() + Number(amount) * unitMs[unit === 'h' ? 'h' : 'd']) : new Date(text)
  if (Number.isNaN(moment.getTime()) || moment <= now) {
    throw new CommandError(
      `--expires must be days (90d), hours (12h) or a date to come (2027-01-31), but is "${text}".`,
      2,
    )
  }
  return moment
}
