import { createBid } from '../../src/cli/bid.ts'
import { readConfig } from '../../src/config/config.ts'
import { createField } from '../../src/fields/fields.ts'
import { revokeCredential } from '../../src/keys/change.ts'
import type { Access } from '../../src/keys/credential.ts'
import { createCredential } from '../../src/keys/credentials.ts'
import { makeToken } from '../../src/keys/token.ts'
import { createCompany } from '../../src/people/companies.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import type { Random } from '../random.ts'
import { ownFields } from './fuzz-fields.ts'
import { ids } from './fuzz-query.ts'
import { type Fields, type Sent, sound } from './fuzz-request.ts'
import { anyText, mutated } from './fuzz-text.ts'

type Key = readonly [key: string, secret: string]

/** Those who may ask, and those who may not. */
export interface Callers {
  readonly writers: readonly [Key, Key]
  readonly reader: Key
  readonly revoked: Key
}

/** Companies with a credential each, made before the service starts. */
export async function makeCallers(url: string): Promise<Callers> {
  const db = openDatabase(readConfig({ DATABASE_URL: url }, false))
  try {
    await migrate(db)
    const make = async (access: Access) => {
      const { id: companyId } = await createCompany(db, 'Fuzz')
      await createBid(db, companyId, 'Bid')
      const { id, apiKey, apiSecret } = await createCredential(db, { companyId, name: 'fuzz', access, expiresAt: null })
      return { ref: { companyId, id }, key: [apiKey, apiSecret] as const }
    }
    const [one, two, reader, revoked] = [
      await make('read-write'),
      await make('read-write'),
      await make('read'),
      await make('read'),
    ]
    for (const [shift, { ref }] of [one, two].entries())
      for (const field of [...ownFields('project', shift), ...ownFields('bid', shift)])
        await createField(db, ref.companyId, field)
    await revokeCredential(db, revoked.ref)
    return { writers: [one.key, two.key], reader: reader.key, revoked: revoked.key }
  } finally {
    await db.close()
  }
}

export const fieldsOf = ([key, secret]: Key): Fields => [
  ['apikey', key],
  ['X-API-Secret', secret],
]

/** Nine of ten may do all, so that what they ask reaches the store. */
export function credentialFields(random: Random, { writers, reader, revoked }: Callers): Fields {
  const writer = random.pick(writers)
  const [key, secret] = writer
  if (random.chance(0.9))
    return random.chance(0.5) ? fieldsOf(writer) : [['Authorization', `Bearer ${key}`], ...fieldsOf(writer)]
  return random.pick<() => Fields>([
    () => fieldsOf(reader),
    () => fieldsOf(revoked),
    () => [['apikey', key]],
    () => fieldsOf([key, makeToken('secret')]),
    () => fieldsOf([key, mutated(random, secret)]),
    () => fieldsOf([mutated(random, key), secret]),
    () => fieldsOf([secret, key]),
    () => [['Authorization', mutated(random, `Bearer ${key}`)], ...fieldsOf(writer)],
    () => fieldsOf([anyText(random), anyText(random)]),
    () => [],
  ])()
}

/** What brings a company back to a few bids and no projects, so that no list grows with the length of the run. */
export function tidying({ writers }: Callers): Sent[] {
  const bids = JSON.stringify(ids.slice(0, 20).map((id) => ({ id, bid_name: 'Bid' })))
  return writers.flatMap((writer) => [
    sound({ method: 'DELETE', target: '/rest/v1/project?id=not.is.null', fields: fieldsOf(writer), body: null }),
    sound({ method: 'DELETE', target: '/rest/v1/bid?id=not.is.null', fields: fieldsOf(writer), body: null }),
    sound({
      method: 'POST',
      target: '/rest/v1/bid',
      fields: [
        ...fieldsOf(writer),
        ['Content-Type', 'application/json'],
        ['Prefer', 'resolution=merge-duplicates,return=minimal'],
      ],
      body: bids,
    }),
  ])
}
