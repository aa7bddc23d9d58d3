import { createCredential } from '../../src/keys/credentials.ts'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import { createCompany } from '../../src/people/companies.ts'
import { createInvitation } from '../../src/people/invitations.ts'
import type { SettingsRoute } from '../../src/settings/context.ts'
import { settingsRoutes } from '../../src/settings/route.ts'
import type { Database } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { addMember, addPerson, newEmail, password, signIn } from '../people.ts'
import type { RightRequest } from './held-request.ts'
import type { Scene } from './scene.ts'

/** A way to write something, and the right that it takes. */
export interface WritingRoute {
  readonly name: string
  readonly needs: 'credential' | SettingsRoute['role']
  /** A request that is done, unless the right has ended. */
  make(db: Database, base: string, scene: Scene): Promise<RightRequest>
}

/** These bring a password or a token, or end their own session: there is no right to them that could end. */
const needNoRight =
  /^\/api\/auth\/(sign-up\/email|sign-in\/(email|social)|sign-out|request-password-reset|reset-password)$/

/** They look at a file or a link, and write nothing. */
const onlyLook = /^\/api\/(import\/:resource\/(preview|check)|links\/[a-z-]+)$/

/** What they are about has to be prepared, each in its own way: test/settings/held-requests.test.ts holds them. */
const heldElsewhere =
  /^\/api\/(auth\/(two-factor|passkey)|two-factor|passkeys|account|fields|webhooks|company\/(events|two-factor|transfer|delete|restore))\b/

const isWriting = ({ method, path }: Pick<SettingsRoute, 'method' | 'path'>): boolean =>
  !['GET', 'HEAD'].includes(method) && ![needNoRight, onlyLook, heldElsewhere].some((left) => left.test(path))

const resources = ['project', 'bid'] as const
const rowMethods = ['POST', 'PATCH', 'PUT', 'DELETE'] as const

/** All there are: those of the settings app come from its own table, so that a new one is tried, too. */
export const writingRoutes: readonly WritingRoute[] = [
  ...resources.flatMap((name) =>
    rowMethods.map((method): WritingRoute => {
      const make = async (_: Database, base: string, scene: Scene) =>
        rowRequest({ base, scene, method, name, path: `/rest/v1/${name}`, headers: scene.credential.headers })
      return { name: `${method} /rest/v1/${name}`, needs: 'credential', make }
    }),
  ),
  ...settingsRoutes.filter(isWriting).flatMap(routesOf),
]

function routesOf({ method, path, role }: SettingsRoute): WritingRoute[] {
  const needs = role === 'public' ? 'person' : role
  if (!path.includes(':resource'))
    return [
      { name: `${method} ${path}`, needs, make: (db, base, scene) => settingsMade({ db, base, scene, method, path }) },
    ]
  return resources.map((name) => ({
    name: `${method} ${path.replace(':resource', name)}`,
    needs,
    make: async (_, base, scene) =>
      rowRequest({
        base,
        scene,
        method,
        name,
        path: path.replace(':resource', name),
        headers: { ...scene.actor.headers, ...json },
      }),
  }))
}

const json = { 'Content-Type': 'application/json' } as const

interface RowWish {
  readonly base: string
  readonly scene: Scene
  readonly method: string
  readonly name: (typeof resources)[number]
  readonly path: string
  readonly headers: RightRequest['headers']
}

async function rowRequest({ base, scene, method, name, path, headers }: RowWish): Promise<RightRequest> {
  const id = Bun.randomUUIDv7()
  if (path.startsWith('/api/import/')) return { method, path, headers, body: JSON.stringify(importOf(name, scene)) }
  const row = { id, ...(name === 'bid' ? { bid_name: 'Held' } : { bid_id: scene.bid, project_name: 'Held' }) }
  if (method === 'POST') return { method, path, headers, body: JSON.stringify(row) }
  if (method !== 'PUT') await createRow(`${base}/rest/v1/${name}`, scene, row)
  const body = method === 'PUT' ? row : name === 'bid' ? { bid_name: 'Done' } : { project_name: 'Done' }
  return { method, path: `${path}?id=eq.${id}`, headers, body: method === 'DELETE' ? '' : JSON.stringify(body) }
}

/** A file of one row. */
const importOf = (name: RowWish['name'], { bid }: Scene) => ({
  ...(name === 'bid'
    ? { text: 'Held\n', columns: ['bid_name'] }
    : { text: `${bid},Held\n`, columns: ['bid_id', 'project_name'] }),
  ...{ delimiter: ',', first: 1 },
})

async function createRow(url: string, { credential }: Scene, row: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: credential.headers, body: JSON.stringify(row) })
  if (answer.status !== 201) throw new Error(await answer.text())
}

interface SettingsWish extends Pick<SettingsRoute, 'method' | 'path'> {
  readonly db: Database
  readonly base: string
  readonly scene: Scene
}

async function settingsMade({ db, base, scene, method, path }: SettingsWish): Promise<RightRequest> {
  const { actor, companyId } = scene
  const [, , kind = ''] = path.split('/')
  const id = path.includes(':id') ? await (targets[kind]?.(db, base, scene) ?? fail(path)) : ''
  const secret = path.includes(':secret') ? await oldSecret(db, scene, id) : ''
  const token = path.includes(':token') ? await tokenFor(db, scene) : ''
  const body = {
    ...{ name: 'Held', role: 'developer', email: newEmail(), access: 'read', grace_seconds: 0, company_id: companyId },
    ...{ currentPassword: password, newPassword: 'quite another password' },
    ...(method === 'POST' && path === '/api/members' ? { person_id: await knownTo(db, actor.id) } : {}),
  }
  return {
    method,
    path: path.replace(':id', id).replace(':secret', secret).replace(':token', token),
    headers: { ...actor.headers, ...json },
    body: method === 'DELETE' ? '' : JSON.stringify(body),
  }
}

/** Somebody in another company that the actor owns. */
async function knownTo(db: Database, actorId: string): Promise<string> {
  const { id } = await createCompany(db, 'Second')
  await addMember(db, id, actorId, 'owner')
  return (await addPerson(db, id, 'viewer')).id
}

/** What a route with an id is about, by the word before it. */
const targets: Readonly<Record<string, (db: Database, base: string, scene: Scene) => Promise<string>>> = {
  members: async (db, _, { companyId }) => (await addPerson(db, companyId, 'viewer')).id,
  invitations: async (db, _, { companyId, owner }) => {
    const invitation = { companyId, email: newEmail(), role: 'viewer' as const, invitedBy: owner.id }
    return (await createInvitation(db, commandLine, invitation)).id
  },
  credentials: async (db, _, { companyId }) =>
    (await createCredential(db, { companyId, name: 'Target', access: 'read', expiresAt: null })).id,
  sessions: async (db, base, { actor }) => (await signIn(db, base, actor.id)).sessionId,
}

/** Of two, the one that may be ended. */
async function oldSecret(db: Database, { companyId }: Scene, id: string): Promise<string> {
  await rotateCredential(db, { companyId, id }, { graceSeconds: 3600, by: commandLine })
  const [[secret] = []] = await db.read(
    sql`select id from credential_secret where credential_id = ${id} and expires_at is not null`,
  )
  return String(secret)
}

async function tokenFor(db: Database, { otherCompanyId, owner, actor }: Scene): Promise<string> {
  const invitation = { companyId: otherCompanyId, email: actor.email, role: 'viewer' as const, invitedBy: owner.id }
  return (await createInvitation(db, commandLine, invitation)).token
}

function fail(path: string): never {
  throw new Error(`Say in prove/rights what ${path} is about`)
}
