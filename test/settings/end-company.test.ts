import { expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { commandLine } from '../../src/people/audit.ts'
import { createCompany } from '../../src/people/companies.ts'
import { sweepCompanies } from '../../src/people/end-company.ts'
import { findOffer, joinBy } from '../../src/people/invitations.ts'
import { settingsRoutes } from '../../src/settings/route.ts'
import { readCatalogue } from '../../src/store/copy/catalogue.ts'
import { keyword, sql } from '../../src/store/sql.ts'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import type { World } from '../support/world.ts'
import { auditOf, behindProxy, filledPath, newEmail, outcome, password, signedIn, visit } from './support.ts'

/** How many rows a company has in each table that has some. */
async function rowsOf({ db }: World, companyId: string): Promise<Record<string, number>> {
  const tables = await readCatalogue(db.read, db.dialect.name)
  const own = tables.filter(({ columns }) => columns.some(({ name }) => name === 'company_id'))
  const counts = await Promise.all(
    own.map(async ({ name }) => {
      const [[count] = []] = await db.read(
        sql`select count(*) from ${keyword(name as 'bid')} where company_id = ${companyId}`,
      )
      return [name, Number(count)] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

const weekMs = 7 * 86_400_000

onEachEngine(
  'a company',
  (world) => {
    test('is handed to another member with the password, and to nobody else', async () => {
      const heir = newEmail()
      const owner = await signedIn(world, world.rival.id, 'owner')
      const next = await signedIn(world, world.rival.id, 'viewer', heir)
      const stranger = await signedIn(world, world.acme.id, 'viewer')
      const idOf = async (browser: typeof owner) => (await browser.get('/session')).json.person.id
      const give = async (to: string, secret = password) =>
        outcome(await owner.post('/company/transfer', { person_id: to, password: secret }))
      expect(await give(await idOf(next), 'x')).toEqual([403, 'invalid_password'])
      expect(await give(await idOf(stranger))).toEqual([404, 'not_found'])
      expect(await give(await idOf(owner))).toEqual([404, 'not_found'])
      expect(await give(await idOf(next))).toEqual([204, undefined])
      expect((await next.get('/session')).json.company.role).toBe('owner')
      expect((await owner.get('/session')).json.company.role).toBe('developer')
      expect(await give(await idOf(next))).toEqual([403, 'forbidden'])
      expect(await auditOf(world, world.rival.id, 'company.transferred')).toMatchObject([{ target: heir }])
    })

    test('is deleted after seven days, in which credentials are refused and it can be undone', async () => {
      const { acme, rival } = world
      const owner = await signedIn(world, acme.id, 'owner')
      const start = async (name: string, secret = password) =>
        outcome(await owner.post('/company/delete', { name, password: secret }))
      expect(await start('Acme Inc')).toEqual([400, 'invalid_settings_body'])
      expect(await start('Acme', 'x')).toEqual([403, 'invalid_password'])
      expect((await acme.get('/project')).status).toBe(200)
      expect(await start('Acme')).toEqual([200, undefined])

      expect(outcome(await acme.get('/project'))).toEqual([403, 'company_deleted'])
      expect(outcome(await acme.post('/bid', { bid_name: 'Late' }))).toEqual([403, 'company_deleted'])
      expect((await rival.get('/project')).status).toBe(200)
      expect((await owner.get('/members')).status).toBe(200)
      const { delete_after } = (await owner.get('/session')).json.company
      expect(Date.parse(delete_after) - Date.now()).toBeWithin(weekMs - 600_000, weekMs + 1000)
      const changes = settingsRoutes.filter(
        ({ method, role }) => !/GET|HEAD/.test(method) && !/public|person/.test(role),
      )
      for (const { method, path } of changes.filter(({ worksOnEnding }) => !worksOnEnding)) {
        const filled = filledPath({ path }, acme.bid)
        expect([path, ...outcome(await owner.send(method, filled, {}))]).toEqual([path, 403, 'company_deleted'])
      }

      await sweepCompanies(world.db)
      expect((await owner.post('/company/restore', {})).status).toBe(204)
      expect((await acme.get('/project')).status).toBe(200)
      expect(outcome(await owner.post('/company/restore', {}))).toEqual([404, 'not_found'])
      expect(await auditOf(world, acme.id, 'company.deletion_started')).toHaveLength(1)
      expect(await auditOf(world, acme.id, 'company.deletion_undone')).toHaveLength(1)
      await sweepCompanies(world.db, new Date(Date.now() + 2 * weekMs))
      expect((await acme.get('/project')).status).toBe(200)
    })

    test('takes no new members while it is about to be deleted, and again when that is undone', async () => {
      const company = await createCompany(world.db, 'Brief')
      const owner = await signedIn(world, company.id, 'owner')
      const [known, fresh] = [newEmail(), newEmail()]
      const invited = await signedIn(world, null, 'viewer', known)
      const invite = async (email: string): Promise<string> =>
        (await owner.post('/invitations', { email, role: 'owner' })).json.link.split('/').at(-1)
      const [ofKnown, ofFresh] = [await invite(known), await invite(fresh)]
      const before = await findOffer(world.db, ofKnown)
      expect((await owner.post('/company/delete', { name: 'Brief', password })).status).toBe(200)

      const page = await visit(world).get(`/invitation/${ofKnown}`)
      expect(outcome(page)).toEqual([403, 'company_deleted'])
      expect(page.json.hint).toContain('works again')
      expect(outcome(await invited.post(`/invitation/${ofKnown}/accept`))).toEqual([403, 'company_deleted'])
      expect(outcome(await visit(world).signUp(fresh, { invitation: ofFresh }))).toEqual([403, 'company_deleted'])
      expect((await visit(world).signIn(fresh)).status).toBe(401)
      // The transaction sees it also where the invitation was read before.
      const personId = (await invited.get('/session')).json.person.id
      const { statements, check } = joinBy(world.db, before, { personId, by: commandLine })
      await expect(world.db.transact(statements, check)).rejects.toThrow('about to be deleted')
      expect((await owner.get('/members')).json).toHaveLength(1)

      expect((await owner.post('/company/restore', {})).status).toBe(204)
      expect((await invited.post(`/invitation/${ofKnown}/accept`)).status).toBe(200)
      expect((await visit(world).signUp(fresh, { invitation: ofFresh })).status).toBe(200)
      expect((await owner.get('/members')).json).toHaveLength(3)
    })

    test('can be restored by the operator, also where its only owner is gone, who was told so', async () => {
      const company = await createCompany(world.db, 'Orphan')
      const [first, second] = [newEmail(), newEmail()]
      const owner = await signedIn(world, company.id, 'owner', first)
      const member = await signedIn(world, company.id, 'viewer', second)
      const run = (...args: string[]) => runHere(args, { DATABASE_URL: world.databaseUrl })
      const state = async () => {
        const all: { name: string; delete_after: string | null }[] = JSON.parse(
          (await run('company', 'list', '--json')).stdout,
        )
        return all.find(({ name }) => name === 'Orphan')
      }
      const early = await run('company', 'restore', 'Orphan')
      expect([early.exitCode, early.stderr]).toEqual([1, 'The company "Orphan" is not about to be deleted.\n'])
      expect(await state()).toEqual({ ...company, delete_after: null })
      expect((await owner.get('/account')).json.only_owner_of_deleted).toEqual([])
      const { delete_after } = (await owner.post('/company/delete', { name: 'Orphan', password })).json
      expect(await state()).toEqual({ ...company, delete_after })
      expect((await run('company', 'list')).stdout).toContain(`Orphan  deleted on ${delete_after.slice(0, 10)}`)

      expect((await owner.get('/account')).json).toMatchObject({
        only_owner_of: [],
        only_owner_of_deleted: [{ id: company.id, name: 'Orphan' }],
      })
      expect((await owner.post('/account/delete', { email: first, password })).status).toBe(204)
      const restored = await run('company', 'restore', 'Orphan')
      expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining('"member add')])
      expect(await state()).toEqual({ ...company, delete_after: null })
      expect((await member.get('/session')).json.company.delete_after).toBeNull()
      expect(await auditOf(world, company.id, 'company.deletion_undone')).toMatchObject([{ actor: 'command line' }])
    })

    test('is swept with all that it has, in parts, and nothing of another company', async () => {
      const { acme, rival, db } = world
      const email = newEmail()
      const owner = await signedIn(world, acme.id, 'owner', email)
      await owner.post('/invitations', { email: newEmail(), role: 'viewer' })
      await createField(db, acme.id, { resource: 'bid', name: 'height', type: 'integer' })
      // More than fit into one part.
      await acme.post(
        '/project',
        Array.from({ length: 450 }, (_, at) => ({ bid_id: acme.bid, project_name: `Lot ${at}` })),
        { 'Idempotency-Key': 'once' },
      )
      await world.usage.flush()
      const ofRival = async () => {
        // What was asked just now may be written to its log a little later.
        const { request_log, request_latency, credential_usage, credential_last_use, ...rest } = await rowsOf(
          world,
          rival.id,
        )
        return rest
      }
      const before = await ofRival()
      expect(Object.keys(await rowsOf(world, acme.id))).toEqual(
        expect.arrayContaining([
          'audit_event',
          'bid',
          'credential',
          'credential_usage',
          'field',
          'invitation',
          'member',
          'project',
        ]),
      )
      expect((await owner.post('/company/delete', { name: 'Acme', password })).status).toBe(200)
      // What was refused is counted, too.
      await acme.get('/project')
      await world.usage.flush()
      await sweepCompanies(db, new Date(Date.now() + weekMs + 60_000))
      expect(await rowsOf(world, acme.id)).toEqual({})
      expect(await db.read(sql`select 1 from company where id = ${acme.id}`)).toEqual([])
      expect(await ofRival()).toEqual(before)
      expect((await rival.get('/project')).status).toBe(200)
      const { company, companies, person } = (await owner.get('/session')).json
      expect([company, companies, person.email]).toEqual([null, [], email])
      await until(async () => (await acme.get('/project')).json.code === 'invalid_api_key')
    })
  },
  behindProxy,
)
