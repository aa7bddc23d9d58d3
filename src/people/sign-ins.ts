import type { Statements } from '../store/database.ts'
import { integer, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'

/** How somebody signs in, or tries to. */
export type SignInMethod = 'password' | 'code' | 'recovery code' | 'passkey' | 'OpenID Connect'

export interface SignIn {
  readonly outcome: 'ok' | 'failed'
  readonly method: string
  readonly address: string | null
  readonly userAgent: string | null
}

/** Whether an answer starts a session. A password that a code has to follow is no sign-in yet: the cookie tells. */
export const startsSession = ({ headers }: Response): boolean =>
  headers.getSetCookie().some((cookie) => /session_token=[^;]/.test(cookie))

/** Of each outcome, for one person: guesses do not push out the sign-ins that were real. */
const keptMax = 50

export async function recordSignIn(db: Statements, personId: string, made: SignIn): Promise<void> {
  const { outcome, method, address, userAgent } = made
  const same = sql`person_id = ${personId} and outcome = ${outcome}`
  await db.transact([
    sql`insert into sign_in (person_id, id, outcome, method, address, user_agent, created_at)
        values (${personId}, ${Bun.randomUUIDv7()}, ${outcome}, ${method}, ${address}, ${userAgent}, ${timestampText(new Date())})`,
    sql`delete from sign_in where ${same} and id < (
          select id from sign_in where ${same} order by id desc limit 1 offset ${integer(keptMax - 1)})`,
  ])
}

/** The latest first. */
export async function listSignIns(
  db: Pick<Statements, 'read'>,
  personId: string,
): Promise<(SignIn & { readonly id: string; readonly createdAt: string })[]> {
  const rows = await db.read(sql`
    select id, created_at, outcome, method, address, user_agent from sign_in
    where person_id = ${personId} order by id desc limit ${integer(keptMax)}`)
  return rows.map(([id, createdAt, outcome, method, address, userAgent]) => ({
    id: String(id),
    createdAt: String(createdAt),
    outcome: outcome === 'ok' ? 'ok' : 'failed',
    method: String(method),
    address: address === null ? null : String(address),
    userAgent: userAgent === null ? null : String(userAgent),
  }))
}
