import { randomInt } from 'node:crypto'
import { failure } from '../errors/index.ts'
import type { Statements } from '../store/database.ts'
import { integer, type Sql, sql } from '../store/sql.ts'
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

/** A key that was not confirmed by then is of no use any more. */
const pendingMs = 3_600_000

/** The first code, and the session in which it was entered. */
interface FirstCode extends Whose {
  readonly code: string
  readonly sessionId: string
}

/**
 * Turns it on with the first code, and returns the recovery codes, which are shown this once. Other sessions end: each began
 * with the password alone, and would count as one with two factors from now on.
 */
export async function confirmTwoFactor(
  db: Statements,
  { seal, unseal }: Seal,
  { personId, email, by, code, sessionId }: FirstCode,
): Promise<readonly string[]> {
  const oldest = timestampText(new Date(Date.now() - pendingMs))
  const [row] = await db.read(
    sql`select secret from two_factor where person_id = ${personId} and not verified and created_at > ${oldest}`,
  )
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
      sql`delete from session where person_id = ${personId} and id <> ${sessionId}`,
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

const codesMax = 10
const lockedMs = 15 * 60_000

/** Counts a code before it is checked, because many may be sent at once. Ten wrong ones in a row lock the second step. */
export async function countCode(db: Statements, personId: string): Promise<void> {
  const now = new Date()
  const ends = timestampText(new Date(now.getTime() + lockedMs))
  await db.transact(
    [
      sql`update two_factor set failed_verification_count = 0, locked_until = null
          where person_id = ${personId} and locked_until <= ${timestampText(now)}`,
      sql`update two_factor set failed_verification_count = failed_verification_count + 1
          where person_id = ${personId} and locked_until is null returning id`,
      sql`update two_factor set locked_until = ${ends}
          where person_id = ${personId} and locked_until is null and failed_verification_count >= ${integer(codesMax)}`,
    ],
    ([, counted]) => {
      if (counted?.length !== 1) throw failure.tooManyAttempts(lockedMs / 1000)
    },
  )
}

/** After a right code, others may be wrong again. */
export const forgetCodes = (personId: string): Sql =>
  sql`update two_factor set failed_verification_count = 0, locked_until = null where person_id = ${personId}`

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
