import { randomInt } from 'node:crypto'
import { failure } from '../errors/index.ts'
import type { Statements } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { auditEverywhere, type Whose } from './audit-everywhere.ts'
import { makeTotpSecret, stepOf } from './totp.ts'

// The sign-in with a code is better-auth's. Setting it up is our own, because the plugin takes four transactions for it
// and could not write the audit log in any of them.

/** Encrypts what is stored, with the key of the installation, in the form of better-auth. */
export interface Seal {
  seal(text: string): Promise<string>
  unseal(text: string): Promise<string>
}

export interface TwoFactor {
  readonly isOn: boolean
  readonly since: string | null
  readonly recoveryCodesLeft: number
}

const recoveryCodes = 10

export async function findTwoFactor(db: Statements, { unseal }: Seal, personId: string): Promise<TwoFactor> {
  const [row] = await db.read(sql`
    select created_at, backup_codes from two_factor where person_id = ${personId} and verified`)
  if (!row) return { isOn: false, since: null, recoveryCodesLeft: 0 }
  const left: unknown[] = JSON.parse(await unseal(String(row[1])))
  return { isOn: true, since: String(row[0]), recoveryCodesLeft: left.length }
}

export async function hasTwoFactor(db: Pick<Statements, 'read'>, personId: string): Promise<boolean> {
  return (await db.read(sql`select 1 from person where id = ${personId} and two_factor_enabled`)).length > 0
}

/** Makes a key, which counts once it is confirmed with a code. Each call replaces a key that was not. */
export async function startTwoFactor(db: Statements, { seal }: Seal, personId: string): Promise<string> {
  const secret = makeTotpSecret()
  const [sealed, none] = await Promise.all([seal(secret), seal('[]')])
  await db.transact(
    [
      sql`insert into two_factor (id, person_id, secret, backup_codes, verified, created_at)
          values (${Bun.randomUUIDv7()}, ${personId}, ${sealed}, ${none}, false, ${timestampText(new Date())})
          on conflict (person_id) do update set secret = excluded.secret, created_at = excluded.created_at
          where not two_factor.verified returning id`,
    ],
    ([made]) => {
      if (made?.length !== 1) throw failure.twoFactorOn()
    },
  )
  return secret
}

/** Turns it on with the first code, and returns the recovery codes, which are shown this once. */
export async function confirmTwoFactor(
  db: Statements,
  { seal, unseal }: Seal,
  { personId, email, by }: Whose,
  code: string,
): Promise<readonly string[]> {
  const [row] = await db.read(sql`select secret from two_factor where person_id = ${personId} and not verified`)
  if (!row) throw failure.twoFactorOff()
  const sealed = String(row[0])
  const step = stepOf(await unseal(sealed), code)
  if (step === null) throw failure.codeWrong()
  const codes = makeRecoveryCodes()
  const now = timestampText(new Date())
  await db.transact(
    [
      sql`update two_factor set verified = true, last_step = ${step}, backup_codes = ${await seal(JSON.stringify(codes))},
          created_at = ${now} where person_id = ${personId} and secret = ${sealed} and not verified returning id`,
      sql`update person set two_factor_enabled = true, updated_at = ${now} where id = ${personId}`,
      ...(await auditEverywhere(db, { personId, email, by }, 'member.two_factor_on')),
    ],
    ([confirmed]) => {
      if (confirmed?.length !== 1) throw failure.twoFactorOff()
    },
  )
  return codes
}

/** New recovery codes in the place of all old ones. */
export async function renewRecoveryCodes(db: Statements, { seal }: Seal, whose: Whose): Promise<readonly string[]> {
  const codes = makeRecoveryCodes()
  const sealed = await seal(JSON.stringify(codes))
  await db.transact(
    [
      sql`update two_factor set backup_codes = ${sealed} where person_id = ${whose.personId} and verified returning id`,
      ...(await auditEverywhere(db, whose, 'member.recovery_codes_renewed')),
    ],
    ([renewed]) => {
      if (renewed?.length !== 1) throw failure.twoFactorOff()
    },
  )
  return codes
}

/** Turns it off. A key that was never confirmed goes, too. */
export async function endTwoFactor(db: Statements, whose: Whose): Promise<void> {
  const { personId } = whose
  await db.transact(
    [
      sql`delete from two_factor where person_id = ${personId} and verified returning id`,
      sql`update person set two_factor_enabled = false, updated_at = ${timestampText(new Date())} where id = ${personId}`,
      ...(await auditEverywhere(db, whose, 'member.two_factor_off')),
    ],
    ([ended]) => {
      if (ended?.length !== 1) throw failure.twoFactorOff()
    },
  )
}

/** Each code works once: better-auth would take it again for as long as clocks may differ. */
export async function consumeCode(
  db: Statements,
  { unseal }: Pick<Seal, 'unseal'>,
  personId: string,
  code: string,
): Promise<void> {
  const [row] = await db.read(sql`select secret from two_factor where person_id = ${personId} and verified`)
  const step = row ? stepOf(await unseal(String(row[0])), code) : null
  if (step === null) return
  const [used] = await db.transact([
    sql`update two_factor set last_step = ${step}
        where person_id = ${personId} and (last_step is null or last_step < ${step}) returning id`,
  ])
  if (used?.length !== 1) throw failure.codeUsed()
}

/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `k7mqp-x2c9w`: 49 random bits each. */
const makeRecoveryCodes = (): readonly string[] =>
  Array.from({ length: recoveryCodes }, () => `${randomLetters()}-${randomLetters()}`)

const randomLetters = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

/** ` K7MQP X2C9W` → `k7mqp-x2c9w`, as it was shown. */
export function parseRecoveryCode(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]/g, '')
  return `${plain.slice(0, 5)}-${plain.slice(5)}`
}
