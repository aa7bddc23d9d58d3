import { createHmac, timingSafeEqual } from 'node:crypto'
import { failure } from '../errors/index.ts'
import { companyRows, tableOfAllCompanies } from '../store/compile/company-rows.ts'
import type { Database, Statements } from '../store/database.ts'
import { integer, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { type Role, roleOf } from './roles.ts'
import { tokenDigest } from './session-token.ts'

/** Who is signed in, and the company that they work in; null where they are no member of it, or of any. */
export interface Session {
  readonly sessionId: string
  readonly person: SignedIn
  readonly company: SessionCompany | null
}

export interface SignedIn {
  readonly id: string
  readonly name: string
  readonly email: string
  /** They sign in with two factors, or have done so this time, by a passkey. */
  readonly hasTwoFactor: boolean
  readonly signedInByPasskey: boolean
}

export interface SessionCompany {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Of the company's own fields; 0 where it has none. */
  readonly fieldsVersion: number
  /** Its owners let nobody in without two factors. */
  readonly requiresTwoFactor: boolean
  /** Whether its changes make events. */
  readonly hasEvents: boolean
  /** When it is deleted, where an owner has asked for that. */
  readonly deleteAfter: string | null
}

/** Of what better-auth signs: the cookie's name and the key. */
export interface CookieKey {
  readonly name: string
  readonly secret: string
}

/** What a request says of its sender. */
export interface Asked {
  readonly cookies: string | null
  /** The company that the request names; null for the one that the session has chosen. */
  readonly companyId: string | null
}

const touchMs = 60_000

/** The session that a cookie belongs to, by one statement: better-auth would need several, and ten times as long. */
export async function findSession(
  { db, key, touch }: { readonly db: Database; readonly key: CookieKey; readonly touch: Touch },
  { cookies, companyId }: Asked,
): Promise<Session | null> {
  const token = parseCookie(key, cookies)
  if (token === null) return null
  const now = new Date()
  const [row] = await db.read(sql`
    select s.id, s.updated_at, p.id, p.name, p.email, c.id, c.name, m.role, c.fields_version, p.two_factor_enabled, c.two_factor_required, c.events,
      c.delete_after, s.by_passkey
    from session s
    join person p on p.id = s.person_id
    left join ${tableOfAllCompanies('member')} m on m.person_id = s.person_id and m.company_id = ${companyId ?? chosenCompany}
    left join company c on c.id = m.company_id
    where s.token = ${tokenDigest(token)} and s.expires_at > ${timestampText(now)}`)
  if (!row) return null
  const [sessionId, updatedAt, personId, name, email, memberOf, companyName, role] = row.map((value) => String(value))
  if (Date.parse(updatedAt ?? '') < now.getTime() - touchMs) touch(sessionId ?? '', now)
  return {
    sessionId: sessionId ?? '',
    person: {
      id: personId ?? '',
      name: name ?? '',
      email: email ?? '',
      hasTwoFactor: Boolean(row[9]) || Boolean(row[13]),
      signedInByPasskey: Boolean(row[13]),
    },
    company:
      row[5] === null
        ? null
        : {
            id: memberOf ?? '',
            name: companyName ?? '',
            role: roleOf(role),
            fieldsVersion: Number(row[8]),
            requiresTwoFactor: Boolean(row[10]),
            hasEvents: row[11] === 'on',
            deleteAfter: row[12] === null ? null : String(row[12]),
          },
  }
}

/**
 * Whoever is a member of several companies and has chosen none works in the oldest. A choice holds, also where the membership has
 * ended: what was meant for one company must not be done in another.
 */
const chosenCompany = sql`coalesce(s.company_id, (
  select o.company_id from ${tableOfAllCompanies('member')} o where o.person_id = s.person_id
  order by o.created_at, o.company_id limit 1))`

/** `name=<token>.<signature>` among the cookies → the token, if the signature is ours. */
function parseCookie({ name, secret }: CookieKey, cookies: string | null): string | null {
  const pair = cookies?.split(';').find((one) => one.trim().startsWith(`${name}=`))
  const value = pair === undefined ? '' : decode(pair.trim().slice(name.length + 1))
  const dot = value.lastIndexOf('.')
  if (dot <= 0) return null
  const token = value.slice(0, dot)
  const sent = Buffer.from(value.slice(dot + 1))
  const right = Buffer.from(createHmac('sha256', secret).update(token).digest('base64'))
  return sent.length === right.length && timingSafeEqual(sent, right) ? token : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Notes that a session is in use, at a time. */
type Touch = (sessionId: string, now: Date) => void

/**
 * Keeps the time of the last use, to the minute, for the person's own list of sessions. Requests do not wait for it: a long
 * change locks its session. One at a time for each session is enough.
 */
export function createTouch(db: Pick<Statements, 'transact'>): Touch {
  const running = new Set<string>()
  return (id, now) => {
    if (running.has(id)) return
    running.add(id)
    db.transact([sql`update session set updated_at = ${timestampText(now)} where id = ${id}`])
      // The next request tries again.
      .catch(() => {})
      .finally(() => running.delete(id))
  }
}

export interface Device {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly address: string | null
  readonly userAgent: string | null
}

/** Where a person is signed in, the latest first. */
export async function listDevices(db: Pick<Statements, 'read'>, personId: string): Promise<Device[]> {
  const rows = await db.read(sql`
    select id, created_at, updated_at, ip_address, user_agent from session
    where person_id = ${personId} and expires_at > ${timestampText(new Date())} order by id desc`)
  return rows.map(([id, createdAt, updatedAt, address, userAgent]) => ({
    id: String(id),
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
    address: address ? String(address) : null,
    userAgent: userAgent ? String(userAgent) : null,
  }))
}

/** Of one person: all of them are listed, and ended, at once. */
const sessionsMax = 100

/** Ends those that a person has beyond as many as they may have, as part of the transaction that starts one. */
export const endOldest = (personId: string): Sql =>
  sql`delete from session where person_id = ${personId} and id < (
        select id from session where person_id = ${personId} order by id desc limit 1 offset ${integer(sessionsMax - 1)})`

export async function endDevice(db: Statements, personId: string, id: string): Promise<void> {
  const [rows] = await db.transact([sql`delete from session where id = ${id} and person_id = ${personId} returning id`])
  if (rows?.length !== 1) throw failure.notFound('session')
}

export async function endOtherDevices(db: Statements, personId: string, currentId: string): Promise<void> {
  await db.transact([sql`delete from session where person_id = ${personId} and id <> ${currentId}`])
}

/** Ends the session that a browser had before it got another one. */
export async function endReplaced(db: Statements, key: CookieKey, cookies: string | null): Promise<void> {
  const token = parseCookie(key, cookies)
  if (token !== null) await db.transact([sql`delete from session where token = ${tokenDigest(token)}`])
}

/** Has the session look at another company of the person's. */
export async function chooseCompany(db: Statements, { sessionId, person }: Session, companyId: string): Promise<void> {
  const [rows] = await db.transact([
    sql`update session set company_id = ${companyId} where id = ${sessionId} and exists (
          select 1 from ${companyRows('member', { companyId })} and person_id = ${person.id}) returning id`,
  ])
  if (rows?.length !== 1) throw failure.companyUnknown()
}
