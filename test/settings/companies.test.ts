import { beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../src/cli/index.ts'
import { commandLine } from '../../src/people/audit.ts'
import { createCompany } from '../../src/people/companies.ts'
import { joinCompany } from '../../src/people/members.ts'
import { join, sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { onEachEngine } from '../support/engines.ts'
import type { World } from '../support/world.ts'
import { authSecret, type Signed, signedInQuickly } from './held.ts'
import { auditOf, behindProxy, newEmail, outcome, visit } from './support.ts'

async function addMember(world: World, ...flags: readonly string[]) {
  const printed: string[] = []
  const print = (text: string) => printed.push(text)
  const env = { DATABASE_URL: world.databaseUrl }
  const args = ['member', 'add', ...flags]
  const exitCode = await runCommand(args, { env, isTerminal: false, startedAt: 0, print, printError: print })
  return { exitCode, text: printed.join('\n') }
}

/** A new company, and people in it in the order of their names. */
async function companyWith({ db }: World, name: string, count: number) {
  const { id } = await createCompany(db, name)
  const now = timestampText(new Date())
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7())
  const names = ids.map((_, at) => `${name} ${String(at).padStart(3, '0')}`)
  const people = ids.map((one, at) => sql`(${one}, ${names[at] ?? ''}, ${newEmail()}, false, ${now}, ${now})`)
  const members = ids.map((one) => sql`(${id}, ${one}, 'viewer', ${now})`)
  await db.transact([
    sql`insert into person (id, name, email, email_verified, created_at, updated_at) values ${join(people, ', ')}`,
    sql`insert into member (company_id, person_id, role, created_at) values ${join(members, ', ')}`,
  ])
  return { id, ids, names }
}

onEachEngine(
  'the companies of a person',
  (world) => {
    let grace: Signed
    let rival: Signed
    beforeAll(async () => {
      grace = await signedInQuickly(world, world.acme.id, 'owner')
      rival = await signedInQuickly(world, world.rival.id, 'owner')
    })

    test('become more by an operator, once each, and the log tells it', async () => {
      const { email, browser } = grace
      const added = await addMember(world, '--company', 'Rival', '--email', email, '--role', 'viewer', '--json')
      expect(added.exitCode).toBe(0)
      expect(JSON.parse(added.text)).toMatchObject({ email, company_id: world.rival.id, role: 'viewer' })
      expect(await auditOf(world, world.rival.id, 'member.added')).toContainEqual(
        expect.objectContaining({ actor: 'command line', target: email, details: { role: 'viewer' } }),
      )
      expect((await browser.get('/session')).json.companies).toMatchObject([
        { id: world.acme.id, role: 'owner' },
        { id: world.rival.id, role: 'viewer' },
      ])
      const wrong: readonly (readonly [number, string[]])[] = [
        [1, ['--company', 'Rival', '--email', email]],
        [1, ['--company', 'Rival', '--email', 'nobody@example.com']],
        [1, ['--company', 'Nowhere', '--email', email]],
        [1, ['--company', 'Rival', '--email', 'no address']],
        [2, ['--company', 'Rival', '--email', email, '--role', 'king']],
        [2, ['--company', 'Rival']],
      ]
      for (const [exitCode, flags] of wrong) expect((await addMember(world, ...flags)).exitCode).toBe(exitCode)
    })

    test('are each read and written under their own address, whichever the session has chosen', async () => {
      const { browser } = grace
      const names = async (company: string) =>
        (await browser.get(`/c/${company}/rest/bid?select=bid_name`)).json.map(
          (row: { bid_name: string }) => row.bid_name,
        )
      const { json: made } = await browser.post(`/c/${world.acme.id}/rest/bid`, { bid_name: 'Only in Acme' })
      expect(await names(world.acme.id)).toContain('Only in Acme')
      expect(await names(world.rival.id)).not.toContain('Only in Acme')
      await browser.post('/session/company', { company_id: world.rival.id })
      expect(await names(world.acme.id)).toContain('Only in Acme')
      expect((await browser.get('/rest/bid?select=bid_name')).text).not.toContain('Only in Acme')
      expect((await browser.delete(`/c/${world.acme.id}/rest/bid?id=eq.${made.id}`)).status).toBe(204)
    })

    test('are changed by the role that the person has in each', async () => {
      const { browser } = grace
      expect((await browser.patch(`/c/${world.acme.id}/company`, { name: 'Acme' })).json).toMatchObject({
        id: world.acme.id,
      })
      const refused = [
        browser.patch(`/c/${world.rival.id}/company`, { name: 'Taken' }),
        browser.post(`/c/${world.rival.id}/rest/bid`, { bid_name: 'Taken' }),
      ]
      for (const reply of refused) expect(outcome(await reply)).toEqual([403, 'forbidden'])
      expect((await browser.get(`/c/${world.rival.id}/members`)).status).toBe(200)
    })

    test('have under their address only what is theirs', async () => {
      const { browser } = grace
      for (const path of ['/session', '/sessions', '/setup', '/auth/sign-out', '/company/x', ''])
        expect([path, (await browser.get(`/c/${world.acme.id}${path}`)).status]).toEqual([path, 404])
      for (const company of ['Acme', `${world.acme.id}0`, '%00'])
        expect(outcome(await browser.get(`/c/${company}/members`))).toEqual([404, 'PGRST125'])
    })

    test('are told apart from none by their members alone', async () => {
      const foreign = await rival.browser.get(`/c/${world.acme.id}/members`)
      const absent = await rival.browser.get(`/c/${Bun.randomUUIDv7()}/members`)
      expect(outcome(foreign)).toEqual([404, 'not_found'])
      expect(foreign.text).toBe(absent.text)
      expect(outcome(await visit(world).get(`/c/${world.acme.id}/members`))).toEqual([401, 'not_signed_in'])
    })

    test('are left one by one, and the session stays', async () => {
      const { browser, personId } = grace
      expect((await browser.delete(`/c/${world.rival.id}/members/${personId}`)).status).toBe(204)
      const { json } = await browser.get('/session')
      expect([json.company.id, json.companies.length]).toEqual([world.acme.id, 1])
      expect(outcome(await browser.get(`/c/${world.rival.id}/rest/bid`))).toEqual([404, 'not_found'])
    })

    test('give their owner each other’s people, and nobody else', async () => {
      const { browser, personId, email } = grace
      const colleague = await signedInQuickly(world, world.acme.id, 'viewer')
      const { id } = await createCompany(world.db, 'Second')
      await world.db.transact(joinCompany(commandLine, { companyId: id, personId, email, role: 'owner' }).statements)
      const { text } = await browser.get(`/c/${id}/members/known`)
      expect([text.includes(colleague.email), text.includes(rival.email), text.includes(email)]).toEqual([
        true,
        false,
        false,
      ])
      const add = async (person_id: string) =>
        outcome(await browser.post(`/c/${id}/members`, { person_id, role: 'viewer' }))
      expect(await add(colleague.personId)).toEqual([204, undefined])
      expect((await colleague.browser.get(`/c/${id}/members`)).json).toHaveLength(2)
      expect(await auditOf(world, id, 'member.added')).toContainEqual(
        expect.objectContaining({ actor: email, target: colleague.email }),
      )
      for (const one of [colleague.personId, rival.personId, Bun.randomUUIDv7()])
        expect(await add(one)).toEqual([404, 'not_found'])
      expect(outcome(await colleague.browser.get(`/c/${id}/members/known`))).toEqual([403, 'forbidden'])
      expect((await rival.browser.get('/members/known')).json).toEqual([])
    })

    test('show at most 500 known people, of owned companies alone, and take each of them', async () => {
      const { browser, personId, email } = await signedInQuickly(world, world.acme.id, 'owner')
      const many = await companyWith(world, 'Many', 501)
      const seen = await companyWith(world, 'Seen', 1)
      for (const [companyId, role] of [
        [many.id, 'owner'],
        [seen.id, 'developer'],
      ] as const)
        await world.db.transact(joinCompany(commandLine, { companyId, personId, email, role }).statements)
      const known: { name: string; person_id: string }[] = (await browser.get('/members/known')).json
      expect(known).toHaveLength(500)
      expect(known.map(({ name }) => name)).toEqual(many.names.slice(0, 500))
      const add = async (person_id = '') => outcome(await browser.post('/members', { person_id, role: 'viewer' }))
      expect(await add(many.ids[500])).toEqual([204, undefined])
      expect(await add(seen.ids[0])).toEqual([404, 'not_found'])
    })

    test('can be none: then nobody may create one, where sign-up is by invitation', async () => {
      const { browser, personId, email } = await signedInQuickly(world, world.acme.id, 'viewer')
      await browser.delete(`/members/${personId}`)
      expect((await browser.get('/session')).json).toMatchObject({ companies: [], may_create_company: false })
      expect(outcome(await browser.post('/company', { name: 'Own' }))).toEqual([403, 'forbidden'])
      expect((await addMember(world, '--company', 'Acme', '--email', email)).exitCode).toBe(0)
      expect((await browser.get('/session')).json.company).toMatchObject({ id: world.acme.id, role: 'developer' })
    })
  },
  { ...behindProxy, AUTH_SECRET: authSecret },
)
