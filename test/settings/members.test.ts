import { beforeAll, expect, test } from 'bun:test'
import { commandLine } from '../../src/people/audit.ts'
import { createCompany } from '../../src/people/companies.ts'
import { findOffer, joinBy } from '../../src/people/invitations.ts'
import { joinCompany } from '../../src/people/members.ts'
import { insertCompanyRow } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { onEachEngine } from '../support/engines.ts'
import { replyOf, type World } from '../support/world.ts'
import { auditOf, type Browser, behindProxy, newEmail, outcome, password, signedIn, visit } from './support.ts'

/** What must not change when a request is refused. */
async function stateOf(world: World): Promise<unknown> {
  const questions = [
    sql`select id, name from company order by id`,
    sql`select company_id, person_id, role from member order by company_id, person_id`,
    sql`select company_id, id, email, role, accepted_at from invitation order by company_id, id`,
    sql`select company_id, id from audit_event order by company_id, id`,
    sql`select id, company_id from session order by id`,
    sql`select id, person_id, password from account order by id`,
  ]
  return Promise.all(questions.map((question) => world.db.read(question)))
}

const personId = async (browser: Browser): Promise<string> => (await browser.get('/session')).json.person.id

onEachEngine(
  'members',
  (world) => {
    let owner: Browser
    let viewer: Browser
    let stranger: Browser
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'owner')
      viewer = await signedIn(world, world.acme.id, 'viewer')
      stranger = await signedIn(world, world.rival.id, 'owner')
    })

    test('see each other, and nobody of another company', async () => {
      const { json } = await viewer.get('/members')
      expect(json.map((one: { role: string; is_you: boolean }) => [one.role, one.is_you])).toEqual([
        ['owner', false],
        ['viewer', true],
      ])
      expect((await stranger.get('/members')).json).toHaveLength(1)
    })

    test('get another role from an owner, which the log tells', async () => {
      const id = await personId(viewer)
      const { json: before } = await viewer.get('/session')
      const changed = await owner.patch(`/members/${id}`, { role: 'developer' })
      expect([changed.status, changed.json.role]).toEqual([200, 'developer'])
      expect((await viewer.get('/session')).json.company.role).toBe('developer')
      const [event] = await auditOf(world, world.acme.id, 'member.role_changed')
      expect(event).toMatchObject({
        target: before.person.email,
        details: { from: 'viewer', to: 'developer' },
        address: owner.address,
        requestId: changed.headers.get('X-Request-Id'),
      })
      expect(outcome(await owner.patch(`/members/${id}`, { role: 'king' }))).toEqual([400, 'invalid_settings_body'])
      await owner.patch(`/members/${id}`, { role: 'viewer' })
    })

    test('who only view can change nothing', async () => {
      const before = await stateOf(world)
      const id = await personId(owner)
      const own = await personId(viewer)
      const tries = [
        () => viewer.patch('/company', { name: 'Mine' }),
        () => viewer.patch(`/members/${id}`, { role: 'viewer' }),
        () => viewer.patch(`/members/${own}`, { role: 'owner' }),
        () => viewer.delete(`/members/${id}`),
        () => viewer.post('/invitations', { email: newEmail(), role: 'owner' }),
        () => viewer.get('/invitations'),
        () => viewer.post('/company', { name: 'Another' }),
      ]
      for (const attempt of tries) expect(outcome(await attempt())).toEqual([403, 'forbidden'])
      expect(await stateOf(world)).toEqual(before)
    })

    test('of another company are out of reach, and look absent', async () => {
      const invitation = (await owner.post('/invitations', { email: newEmail(), role: 'viewer' })).json
      const { json: sessions } = await owner.get('/sessions')
      const before = await stateOf(world)
      const id = await personId(owner)
      const tries = [
        () => stranger.patch(`/members/${id}`, { role: 'viewer' }),
        () => stranger.delete(`/members/${id}`),
        () => stranger.delete(`/invitations/${invitation.id}`),
        () => stranger.delete(`/sessions/${sessions[0].id}`),
        () => stranger.post('/session/company', { company_id: world.acme.id }),
      ]
      const absent = Bun.randomUUIDv7()
      const missing = [
        () => stranger.patch(`/members/${absent}`, { role: 'viewer' }),
        () => stranger.delete(`/members/${absent}`),
        () => stranger.delete(`/invitations/${absent}`),
        () => stranger.delete(`/sessions/${absent}`),
        () => stranger.post('/session/company', { company_id: absent }),
      ]
      for (const [at, attempt] of tries.entries()) {
        const reply = await attempt()
        expect(outcome(reply)).toEqual([404, 'not_found'])
        expect(reply.text).toBe((await missing[at]?.())?.text ?? '')
      }
      const lists = [await stranger.get('/members'), await stranger.get('/invitations'), await stranger.get('/session')]
      for (const { text } of lists) for (const known of [world.acme.id, id, 'Acme']) expect(text).not.toContain(known)
      expect(await stateOf(world)).toEqual(before)
    })

    test('who are removed lose the company at once and stay signed in, and can leave by themselves', async () => {
      const [sent, leaving] = [
        await signedIn(world, world.acme.id, 'viewer'),
        await signedIn(world, world.acme.id, 'viewer'),
      ]
      const { person } = (await sent.get('/session')).json
      expect((await owner.delete(`/members/${person.id}`)).status).toBe(204)
      expect((await sent.get('/session')).json).toMatchObject({ company: null, companies: [] })
      expect(outcome(await sent.get('/members'))).toEqual([403, 'forbidden'])
      expect(outcome(await sent.get(`/c/${world.acme.id}/members`))).toEqual([404, 'not_found'])
      expect((await leaving.delete(`/members/${await personId(leaving)}`)).status).toBe(204)
      expect((await leaving.get('/session')).json).toMatchObject({ company: null, companies: [] })
      const events = await auditOf(world, world.acme.id, 'member.removed')
      expect(events.map(({ target }) => target)).toContain(person.email)
    })

    test('who are removed do nothing in another company that was meant for this one', async () => {
      const sent = await signedIn(world, world.acme.id, 'developer')
      const id = await personId(sent)
      await world.db.transact([
        sql`insert into member (company_id, person_id, role, created_at) values (${world.rival.id}, ${id}, 'owner', '2999-01-01T00:00:00+00:00')`,
      ])
      expect((await owner.delete(`/members/${id}`)).status).toBe(204)
      const create = () => sent.post('/rest/bid', { bid_name: 'Meant for Acme' })
      expect(outcome(await create())).toEqual([403, 'forbidden'])
      expect((await world.rival.get('/bid?bid_name=eq.Meant for Acme')).json).toEqual([])
      expect((await sent.get('/session')).json.company).toMatchObject({ id: world.rival.id })
      expect((await sent.post('/session/company', { company_id: world.rival.id })).status).toBe(200)
      expect((await create()).status).toBe(201)
    })

    test('always have an owner, whatever happens at the same moment', async () => {
      const id = await personId(owner)
      const before = await stateOf(world)
      expect(outcome(await owner.patch(`/members/${id}`, { role: 'viewer' }))).toEqual([409, 'last_owner'])
      expect(outcome(await owner.delete(`/members/${id}`))).toEqual([409, 'last_owner'])
      expect(await stateOf(world)).toEqual(before)
      const second = await signedIn(world, world.acme.id, 'owner')
      const secondId = await personId(second)
      const replies = await Promise.all([
        owner.patch(`/members/${id}`, { role: 'developer' }),
        second.patch(`/members/${secondId}`, { role: 'developer' }),
      ])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
      const left = replies[0]?.status === 200 ? second : owner
      await left.patch(`/members/${left === owner ? secondId : id}`, { role: 'owner' })
      expect((await owner.get('/members')).status).toBe(200)
    })

    test('rename their company as owners, which the log tells', async () => {
      const renamed = await owner.patch('/company', { name: 'Acme & Sons' })
      expect(renamed.json).toEqual({ id: world.acme.id, name: 'Acme & Sons' })
      expect(await auditOf(world, world.acme.id, 'company.renamed')).toMatchObject([
        { target: 'Acme & Sons', details: { from: 'Acme', to: 'Acme & Sons' } },
      ])
      for (const name of ['', ' ', 'x'.repeat(256), 7, null])
        expect(outcome(await owner.patch('/company', { name }))).toEqual([400, 'invalid_settings_body'])
    })
  },
  behindProxy,
)

/** Open invitations of a company, by somebody. */
async function addInvitations({ db }: World, companyId: string, invitedBy: string, count: number): Promise<void> {
  const now = new Date()
  const [made, ends] = [timestampText(now), timestampText(new Date(now.getTime() + 3_600_000))]
  await db.transact(
    Array.from({ length: count }, (_, at) =>
      insertCompanyRow('invitation', db.forCompany(companyId), {
        ...{
          id: Bun.randomUUIDv7(),
          email: `open-${at}@example.com`,
          role: 'viewer',
          token_digest: Bun.randomUUIDv7(),
        },
        ...{ invited_by: invitedBy, created_at: made, expires_at: ends },
      }),
    ),
  )
}

onEachEngine(
  'open invitations',
  (world) => {
    test('are at most 500 of a company, and all end with their sender', async () => {
      const [sender, owner] = [
        await signedIn(world, world.acme.id, 'owner'),
        await signedIn(world, world.acme.id, 'owner'),
      ]
      const id = await personId(sender)
      const invite = (email: string, browser = sender) => browser.post('/invitations', { email, role: 'viewer' })
      await addInvitations(world, world.acme.id, id, 499)
      const both = await Promise.all([invite('one@example.com'), invite('two@example.com', owner)])
      expect(both.map(outcome).toSorted()).toEqual([
        [201, undefined],
        [409, 'too_many_invitations'],
      ])
      expect((await owner.get('/invitations')).json).toHaveLength(500)
      // It takes the place of an open one.
      expect((await invite('open-7@example.com')).status).toBe(201)
      const again = await invite('three@example.com')
      expect([...outcome(again), again.json.hint.includes('Withdraw')]).toEqual([409, 'too_many_invitations', true])
      const rival = await signedIn(world, world.rival.id, 'owner')
      expect((await invite('three@example.com', rival)).status).toBe(201)
      const [{ id: first }] = (await owner.get('/invitations')).json
      expect((await owner.delete(`/invitations/${first}`)).status).toBe(204)
      expect((await invite('three@example.com')).status).toBe(201)
      expect(outcome(await invite('four@example.com'))).toEqual([409, 'too_many_invitations'])
      const all = (await owner.get('/invitations')).json as { email: string; invited_by: string }[]
      const { email } = (await sender.get('/session')).json.person
      const sent = all.filter(({ invited_by }) => invited_by === email).map((one) => one.email)
      expect((await owner.delete(`/members/${id}`)).status).toBe(204)
      const ended = await auditOf(world, world.acme.id, 'invitation.ended')
      expect(ended.map(({ target }) => String(target)).toSorted()).toEqual(sent.toSorted())
      const details = { role: 'viewer', reason: 'sender_removed', invited_by: email }
      for (const event of ended) expect(event).toMatchObject({ details, address: owner.address })
      expect((await owner.get('/invitations')).json).toHaveLength(all.length - sent.length)
      expect((await rival.get('/invitations')).json).toHaveLength(1)
    })
  },
  behindProxy,
)

onEachEngine(
  'invitations',
  (world) => {
    let owner: Browser
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'owner')
    })

    const invite = async (email: string, role = 'developer') => (await owner.post('/invitations', { email, role })).json
    const tokenOf = ({ link }: { link: string }): string => link.split('/').at(-1) ?? ''

    test('make a new person a member at once, and are good for once', async () => {
      const email = newEmail()
      const made = await invite(email)
      expect(made).toMatchObject({ email, role: 'developer', emailed: false })
      expect(made.link).toStartWith(`${world.base}/invitation/`)
      const token = tokenOf(made)
      expect((await visit(world).get(`/invitation/${token}`)).json).toEqual({
        company: 'Acme',
        email,
        role: 'developer',
        has_account: false,
        two_factor_required: false,
      })
      expect(outcome(await visit(world).signUp(newEmail(), { invitation: token }))).toEqual([
        403,
        'invitation_for_other',
      ])
      expect(outcome(await visit(world).signUp(email))).toEqual([403, 'signup_closed'])
      const browser = visit(world)
      expect((await browser.signUp(email, { invitation: token })).status).toBe(200)
      expect((await browser.get('/session')).json.company).toMatchObject({ id: world.acme.id, role: 'developer' })
      expect(outcome(await visit(world).signUp(newEmail(), { invitation: token }))).toEqual([404, 'invitation_unknown'])
      expect(outcome(await visit(world).get(`/invitation/${token}`))).toEqual([404, 'invitation_unknown'])
      expect((await owner.get('/invitations')).json).toEqual([])
      const [event] = (await auditOf(world, world.acme.id, 'member.joined')).filter(({ target }) => target === email)
      expect(event).toMatchObject({ actor: email, details: { role: 'developer' }, address: browser.address })
    })

    test('are accepted once by who has an account, and by nobody else', async () => {
      const email = newEmail()
      const invited = await signedIn(world, world.rival.id, 'viewer', email)
      const other = await signedIn(world, null, 'viewer')
      const token = tokenOf(await invite(email, 'viewer'))
      expect((await visit(world).get(`/invitation/${token}`)).json.has_account).toBe(true)
      expect(outcome(await visit(world).post(`/invitation/${token}/accept`))).toEqual([401, 'not_signed_in'])
      expect(outcome(await other.post(`/invitation/${token}/accept`))).toEqual([403, 'invitation_for_other'])
      const replies = await Promise.all([1, 2, 3].map(() => invited.post(`/invitation/${token}/accept`)))
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404])
      const { json } = await invited.get('/session')
      expect([json.company.id, json.companies.length]).toEqual([world.acme.id, 2])
      expect(outcome(await owner.post('/invitations', { email, role: 'owner' }))).toEqual([409, 'already_member'])
    })

    test('give no right to a company of one’s own, also not to who left the one of the invitation', async () => {
      const email = newEmail()
      const browser = visit(world)
      await browser.signUp(email, { invitation: tokenOf(await invite(email)) })
      expect((await browser.delete(`/members/${await personId(browser)}`)).status).toBe(204)
      await browser.signIn(email)
      expect((await browser.get('/session')).json.company).toBeNull()
      expect(outcome(await browser.post('/company', { name: 'Own' }))).toEqual([403, 'forbidden'])
      // Neither does an account that the operator made.
      const made = await signedIn(world, null, 'owner')
      expect(outcome(await made.post('/company', { name: 'Own' }))).toEqual([403, 'forbidden'])
    })

    test('end after seven days, when revoked, and when replaced', async () => {
      const [late, revoked, replaced] = [newEmail(), newEmail(), newEmail()]
      const first = await invite(late)
      expect(Date.parse(first.expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
      await world.db.transact([
        sql`update invitation set expires_at = '2026-01-01T00:00:00+00:00' where id = ${first.id}`,
      ])
      const second = await invite(revoked)
      expect((await owner.delete(`/invitations/${second.id}`)).status).toBe(204)
      expect(await auditOf(world, world.acme.id, 'invitation.revoked')).toMatchObject([{ target: revoked }])
      const third = await invite(replaced)
      const fourth = await invite(replaced, 'viewer')
      expect([third.replaced, fourth.replaced, (await invite(late)).replaced]).toEqual([false, true, false])
      for (const [email, made] of [
        [late, first],
        [revoked, second],
        [replaced, third],
      ] as const) {
        expect(outcome(await visit(world).signUp(email, { invitation: tokenOf(made) }))).toEqual([
          404,
          'invitation_unknown',
        ])
      }
      expect((await owner.get('/invitations')).json).toMatchObject([
        { email: late },
        { id: fourth.id, email: replaced, role: 'viewer' },
      ])
      expect(outcome(await visit(world).get('/invitation/unknown'))).toEqual([404, 'invitation_unknown'])
    })

    test('end with the role of whoever made them, and those of others stay', async () => {
      const maker = await signedIn(world, world.acme.id, 'owner')
      const rival = await signedIn(world, world.rival.id, 'owner')
      const make = async (by: Browser, email: string) =>
        tokenOf((await by.post('/invitations', { email, role: 'owner' })).json)
      const [own, others, theirs] = [newEmail(), newEmail(), newEmail()]
      const tokens = [await make(maker, own), await make(owner, others), await make(rival, theirs)]
      const seen = () =>
        Promise.all(tokens.map(async (token) => (await visit(world).get(`/invitation/${token}`)).status))
      expect(await seen()).toEqual([200, 200, 200])
      const id = await personId(maker)
      // One that is over already is not counted.
      const late = (await maker.post('/invitations', { email: newEmail(), role: 'viewer' })).json.id
      await world.db.transact([sql`update invitation set expires_at = '2026-01-01T00:00:00+00:00' where id = ${late}`])
      expect((await owner.patch(`/members/${id}`, { role: 'developer' })).json).toMatchObject({
        role: 'developer',
        invitations_ended: 1,
      })
      expect(await seen()).toEqual([404, 200, 200])
      const makerEmail = (await maker.get('/session')).json.person.email
      const ended = { target: own, details: { role: 'owner', reason: 'sender_not_owner', invited_by: makerEmail } }
      expect(await auditOf(world, world.acme.id, 'invitation.ended')).toMatchObject([ended])
      // Also not when the role comes back.
      expect((await owner.patch(`/members/${id}`, { role: 'owner' })).json.invitations_ended).toBe(0)
      expect(await seen()).toEqual([404, 200, 200])
      expect(outcome(await visit(world).signUp(own, { invitation: tokens[0] }))).toEqual([404, 'invitation_unknown'])
      // Whoever steps down by themselves loses them, too.
      tokens[0] = await make(maker, own)
      expect((await maker.patch(`/members/${id}`, { role: 'viewer' })).status).toBe(200)
      expect(await seen()).toEqual([404, 200, 200])
      expect(await auditOf(world, world.acme.id, 'invitation.ended')).toHaveLength(2)
      await owner.delete(`/members/${id}`)
    })

    test('end when whoever made them is removed, hands the company on or deletes their account, and the log says why', async () => {
      const company = await createCompany(world.db, 'Ends')
      const makers = await Promise.all([1, 2, 3].map(() => signedIn(world, company.id, 'owner')))
      const stays = await signedIn(world, company.id, 'owner')
      const emails = [newEmail(), newEmail(), newEmail()]
      for (const [at, maker] of makers.entries())
        await maker.post('/invitations', { email: emails[at], role: 'viewer' })
      const [removed, giver, gone] = makers as [Browser, Browser, Browser]
      expect((await stays.delete(`/members/${await personId(removed)}`)).status).toBe(204)
      expect((await giver.post('/company/transfer', { person_id: await personId(stays), password })).status).toBe(204)
      const { email } = (await gone.get('/session')).json.person
      expect((await gone.post('/account/delete', { email, password })).status).toBe(204)
      expect((await stays.get('/invitations')).json).toEqual([])
      const log = await auditOf(world, company.id, 'invitation.ended')
      expect(log.map(({ target, details }) => [target, details.reason])).toEqual([
        [emails[0], 'sender_removed'],
        [emails[1], 'sender_not_owner'],
        [emails[2], 'account_deleted'],
      ])
    })

    test('to somebody who is a member end with the removal, or when they join in another way', async () => {
      const [here, elsewhere] = [await createCompany(world.db, 'Here'), await createCompany(world.db, 'Elsewhere')]
      const maker = await signedIn(world, here.id, 'owner')
      const { id, email } = (await maker.get('/session')).json.person
      const { statements, check } = joinCompany(commandLine, {
        companyId: elsewhere.id,
        personId: id,
        email,
        role: 'owner',
      })
      await world.db.transact(statements, check)
      const address = newEmail()
      const bob = await signedIn(world, elsewhere.id, 'viewer', address)
      const bobId = await personId(bob)
      const offer = await maker.post(`/c/${here.id}/invitations`, { email: address, role: 'owner' })
      const token = tokenOf(offer.json)
      expect((await maker.post(`/c/${here.id}/members`, { person_id: bobId, role: 'viewer' })).status).toBe(204)
      expect((await maker.get(`/c/${here.id}/invitations`)).json).toEqual([])
      // One that was made for an address that became theirs later.
      await world.db.transact([
        sql`insert into invitation (id, company_id, email, role, token_digest, invited_by, created_at, expires_at)
            values (${Bun.randomUUIDv7()}, ${here.id}, ${address}, 'owner', 'x', ${id}, '2026-01-01T00:00:00+00:00', '2099-01-01T00:00:00+00:00')`,
      ])
      expect((await maker.delete(`/c/${here.id}/members/${bobId}`)).status).toBe(204)
      expect((await maker.get(`/c/${here.id}/invitations`)).json).toEqual([])
      expect(outcome(await bob.post(`/invitation/${token}/accept`))).toEqual([404, 'invitation_unknown'])
      expect((await bob.get(`/c/${here.id}/members`)).status).toBe(404)
    })

    test('are told to owners; who has two factors is told to owners as well, and to others of themselves', async () => {
      const viewer = await signedIn(world, world.acme.id, 'viewer')
      const seen = async (by: Browser): Promise<{ is_you: boolean; two_factor: boolean | null }[]> =>
        (await by.get('/members')).json
      for (const { is_you, two_factor } of await seen(viewer)) expect(two_factor).toBe(is_you ? false : null)
      for (const { two_factor } of await seen(owner)) expect(two_factor).toBeBoolean()
      expect((await viewer.get('/invitations')).status).toBe(403)
    })

    // One may be made at the very moment at which its maker loses the role.
    test('cannot be accepted when whoever made them is no owner, even where they are still there', async () => {
      const maker = await signedIn(world, world.acme.id, 'owner')
      const [known, fresh] = [newEmail(), newEmail()]
      const invited = await signedIn(world, null, 'viewer', known)
      const offers = await Promise.all(
        [known, fresh].map(async (email) => {
          const token = tokenOf((await maker.post('/invitations', { email, role: 'owner' })).json)
          return { token, offer: await findOffer(world.db, token) }
        }),
      )
      const id = await personId(maker)
      await world.db.transact([
        sql`update member set role = 'viewer' where company_id = ${world.acme.id} and person_id = ${id}`,
      ])
      const before = await stateOf(world)
      const [first, second] = offers
      expect(outcome(await invited.post(`/invitation/${first?.token}/accept`))).toEqual([404, 'invitation_unknown'])
      expect(outcome(await visit(world).signUp(fresh, { invitation: second?.token }))).toEqual([
        404,
        'invitation_unknown',
      ])
      // The transaction sees it also where the offer was read before.
      const person = await personId(invited)
      for (const { offer } of offers) {
        const { statements, check } = joinBy(world.db, offer, { personId: person, by: commandLine })
        await expect(world.db.transact(statements, check)).rejects.toThrow('The invitation is unknown')
      }
      expect(await stateOf(world)).toEqual(before)
    })

    test('are kept as a digest, and their links appear in no log', async () => {
      const token = tokenOf(await invite(newEmail()))
      await visit(world).get(`/invitation/${token}`)
      expect(world.logged.join('')).toContain('/api/invitation/:token')
      expect(world.logged.join('')).not.toContain(token)
      const rows = await world.db.read(sql`select token_digest from invitation`)
      expect(JSON.stringify(rows)).not.toContain(token)
    })
  },
  behindProxy,
)

onEachEngine(
  'a page of another site',
  (world) => {
    test('changes nothing, whatever it sends', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const before = await stateOf(world)
      const foreign: readonly Record<string, string>[] = [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: '' },
        { Origin: `${world.base}.evil.example` },
        { Origin: world.base, 'Sec-Fetch-Site': 'cross-site' },
        { Origin: world.base, 'Sec-Fetch-Site': 'same-site' },
      ]
      for (const headers of foreign) {
        const replies = [
          await owner.patch('/company', { name: 'Evil' }, headers),
          await owner.post('/invitations', { email: newEmail(), role: 'owner' }, headers),
          await owner.post('/auth/sign-out', {}, headers),
          await owner.post(
            '/auth/change-password',
            { currentPassword: password, newPassword: 'evil password' },
            headers,
          ),
        ]
        for (const reply of replies) expect(outcome(reply)).toEqual([403, 'invalid_origin'])
      }
      const bare = await fetch(`${world.base}/api/company`, {
        method: 'PATCH',
        headers: { Cookie: owner.cookie, 'Content-Type': 'application/json' },
        body: '{"name":"Evil"}',
      })
      expect(outcome(await replyOf(bare))).toEqual([403, 'invalid_origin'])
      // What a form can send without asking first is no JSON.
      const form = await fetch(`${world.base}/api/company`, {
        method: 'PATCH',
        headers: { Cookie: owner.cookie, Origin: world.base, 'Content-Type': 'text/plain' },
        body: '{"name":"Evil"}',
      })
      expect(form.status).toBe(415)
      expect(await stateOf(world)).toEqual(before)
      expect([...bare.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    })

    // A name that somebody else's DNS points at us: the browser takes their page for ours.
    test('is not our own for being reached under a name of its own', async () => {
      const { port } = new URL(world.base)
      const browser = visit(world)
      for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `localhost.evil.example:${port}`]) {
        const headers = { Origin: `http://${host}`, Host: host, 'Sec-Fetch-Site': 'same-origin' }
        const replies = [
          await browser.post('/auth/sign-up/email', { name: 'Eve', email: newEmail(), password }, headers),
          await browser.post('/auth/sign-in/email', { email: newEmail(), password }, headers),
        ]
        for (const reply of replies) {
          expect(outcome(reply)).toEqual([403, 'invalid_origin'])
          expect(reply.json.hint).toContain('BASE_URL')
        }
      }
    })

    test('is told apart from our own under another address of ours', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const { port } = new URL(world.base)
      for (const host of [`127.0.0.2:${port}`, `[::1]:${port}`, `192.0.2.7`, `localhost:${port}`]) {
        const headers = { Origin: `http://${host}`, Host: host }
        expect([host, (await owner.patch('/company', { name: 'Acme' }, headers)).status]).toEqual([host, 200])
      }
    })

    test('is told apart from our own under another name of ours', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const name = world.base.replace('127.0.0.1', 'localhost')
      const reply = await owner.patch('/company', { name: 'Acme' }, { Origin: name, Host: new URL(name).host })
      expect(reply.status).toBe(200)
      expect((await owner.post('/auth/sign-out', {}, { Origin: name, Host: new URL(name).host })).status).toBe(200)
    })
  },
  behindProxy,
)

onEachEngine(
  'the routes',
  (world) => {
    test('are unknown, or take another method, or need a signed-in person', async () => {
      const browser = visit(world)
      expect(outcome(await browser.get('/nothing'))).toEqual([404, 'PGRST125'])
      expect(outcome(await browser.get('/auth/get-session'))).toEqual([404, 'PGRST125'])
      expect(outcome(await browser.post('/auth/delete-user', {}))).toEqual([404, 'PGRST125'])
      expect(outcome(await browser.delete('/members/not-an-id'))).toEqual([404, 'PGRST125'])
      const wrong = await browser.post('/activity', {})
      expect([...outcome(wrong), wrong.headers.get('Allow')]).toEqual([405, 'PGRST117', 'GET'])
      for (const path of ['/session', '/members', '/sessions', '/invitations'])
        expect(outcome(await browser.get(path))).toEqual([401, 'not_signed_in'])
    })

    test('take bodies of up to 64 KiB that are one JSON object', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      expect(outcome(await owner.patch('/company', { name: 'x'.repeat(70_000) }))).toEqual([413, 'body_too_large'])
      expect(outcome(await owner.patch('/company', [{ name: 'x' }]))).toEqual([400, 'invalid_settings_body'])
      expect(outcome(await owner.patch('/company', 'x'))).toEqual([400, 'PGRST102'])
      expect(outcome(await owner.post('/session/company', { company_id: 'x' }))).toEqual([400, 'invalid_settings_body'])
    })
  },
  behindProxy,
)

onEachEngine(
  'more invitations than anybody needs',
  (world) => {
    test('are refused to that company, and to no other', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const rival = await signedIn(world, world.rival.id, 'owner')
      const send = (by: Browser) => by.post('/invitations', { email: newEmail(), role: 'viewer' })
      const statuses: number[] = []
      for (let at = 0; at < 101; at += 1) statuses.push((await send(owner)).status)
      expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([100, 429])
      const refused = await send(owner)
      expect(outcome(refused)).toEqual([429, 'rate_limited'])
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect((await send(rival)).status).toBe(201)
    }, 300_000)
  },
  behindProxy,
)
