import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createPerson } from '../../src/people/accounts.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { laneOf } from '../support/lane-of.ts'
import { type Raw, sendRaw } from '../support/raw.ts'
import { until } from '../support/service.ts'
import { inTime } from '../support/world.ts'
import { authSecret, type Signed, signedInQuickly } from './held.ts'
import { type Browser, behindProxy, newEmail, password, visit } from './support.ts'

setDefaultTimeout(300_000)
const megabyte = 1024 * 1024
const bodyBytes = 64 * 1024
/** A thirty-second part of all. */
const shareBytes = 2 * megabyte

const many = shareBytes / bodyBytes + 4

onEachEngine(
  'bodies that are sent to the settings page',
  (world) => {
    const held = () => world.bytes.load().held
    const refused = () => world.bytes.load().refused
    let email: string
    let stray: Signed
    let otherStray: Signed
    beforeAll(async () => {
      email = newEmail()
      await createPerson(world.db, { name: 'Grace', email, password }, 'operator', () => null)
      stray = await signedInQuickly(world, world.acme.id, 'viewer')
      otherStray = await signedInQuickly(world, world.acme.id, 'viewer')
      for (const { personId } of [stray, otherStray])
        await world.db.transact([sql`delete from member where person_id = ${personId}`])
    })

    /** Announces bodies and sends none of them, until its share is used up. */
    const hold = async ({ address, cookies }: Browser, line: string): Promise<{ release(): Promise<void> }> => {
      const [heldBefore, refusedBefore] = [held(), refused()]
      const fields = {
        ...{ Origin: world.base, Cookie: cookies, 'X-Forwarded-For': address },
        ...{ 'Content-Type': 'application/json', 'Content-Length': String(bodyBytes) },
      }
      const raws: Raw[] = Array.from({ length: many }, () => sendRaw(world.base, line, fields))
      await until(() => (held() - heldBefore) / bodyBytes + refused() - refusedBefore === many)
      expect(held() - heldBefore).toBe(shareBytes)
      return {
        release: async () => {
          for (const { socket } of raws) socket.destroy()
          await until(() => held() === heldBefore)
        },
      }
    }
    const browserOf = (isWanted: (browser: Browser) => boolean): Browser => {
      for (;;) {
        const browser = visit(world)
        if (isWanted(browser)) return browser
      }
    }
    const large = { name: ' '.repeat(bodyBytes - 100) }

    test('never keep anybody from signing in, whoever holds how much', async () => {
      const holder = visit(world)
      const holding = await hold(holder, 'POST /api/auth/sign-in/email')
      const inSameLane = browserOf(({ address }) => laneOf(address) === laneOf(holder.address))
      const others = [inSameLane, browserOf(({ address }) => laneOf(address) !== laneOf(holder.address))]
      for (const browser of others) {
        expect((await inTime(() => browser.signIn(email))).status).toBe(200)
        expect((await browser.signOut()).status).toBe(200)
        expect((await browser.post('/auth/request-password-reset', { email })).status).toBe(200)
        expect((await browser.signUp(newEmail())).json.code).toBe('signup_closed')
      }
      await holding.release()
    })

    test('may be large as far as the networks of their senders have room', async () => {
      const holder = visit(world)
      const holding = await hold(holder, 'POST /api/auth/sign-in/email')
      const { status, json, headers } = await holder.post('/auth/sign-in/email', large)
      expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'overloaded', '1'])
      const elsewhere = browserOf(({ address }) => laneOf(address) !== laneOf(holder.address))
      expect((await elsewhere.post('/auth/sign-in/email', large)).status).toBe(400)
      await holding.release()
      expect((await holder.post('/auth/sign-in/email', large)).status).toBe(400)
    })

    test('count for a person who has no company, and nobody else notices', async () => {
      const holding = await hold(stray.browser, 'PATCH /api/account')
      expect((await stray.browser.patch('/account', large)).status).toBe(503)
      expect((await stray.browser.patch('/account', { name: 'Ada' })).status).toBe(200)
      const signedIn = await signedInQuickly(world, world.rival.id, 'owner')
      for (const { browser } of [otherStray, signedIn])
        expect((await browser.patch('/account', large)).status).toBe(400)
      const name = 'x'.repeat(255)
      const rows = Array.from({ length: 5000 }, () => ({ bid_id: world.rival.bid, project_name: name }))
      expect((await inTime(() => world.rival.post('/project', rows))).status).toBe(201)
      await holding.release()
    })
  },
  { ...behindProxy, AUTH_SECRET: authSecret, MAX_BYTES_IN_FLIGHT: String(64 * megabyte), IDLE_TIMEOUT_S: '255' },
)
