import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { latestResources } from '../../src/fields/own-resources.ts'
import { createPerson } from '../../src/people/accounts.ts'
import { commandLine } from '../../src/people/audit.ts'
import { startDeletion, undoDeletion } from '../../src/people/end-company.ts'
import { joinCompany } from '../../src/people/members.ts'
import { resources } from '../../src/resources/index.ts'
import { tableOfAllCompanies } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore } from '../../src/store/database.ts'
import { sql } from '../../src/store/sql.ts'
import { timestampText } from '../../src/types/timestamp-text.ts'
import { parseFilter } from '../../src/webhooks/choose-events.ts'
import { replayOne } from '../../src/webhooks/deliveries.ts'
import { createDisable } from '../../src/webhooks/disable.ts'
import type { Dispatcher, DispatcherParts } from '../../src/webhooks/dispatch/dispatcher.ts'
import { claim, dueNow, renew } from '../../src/webhooks/dispatch/due.ts'
import { queueEvents } from '../../src/webhooks/dispatch/queue-events.ts'
import type { EndpointRef } from '../../src/webhooks/endpoint.ts'
import {
  changeEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  rotateEndpoint,
} from '../../src/webhooks/endpoints.ts'
import { replaySince } from '../../src/webhooks/replay.ts'
import { createSend } from '../../src/webhooks/send/send.ts'
import { sweepWebhooks } from '../../src/webhooks/sweep.ts'
import { newEmail, password, signedIn } from '../settings/support.ts'
import { onEachEngine } from '../support/engines.ts'
import { burn, countTurns } from '../support/turns-of-loop.ts'
import { dispatch, endpointTo, Receiver, seal, statesOf, until } from './support.ts'

/** A refusal after which nothing is sent again by itself. */
const muchLater = (status: number): ResponseInit => ({ status, headers: { 'Retry-After': '3600' } })

onEachEngine('webhooks', (world) => {
  let receiver: Receiver
  let running: Dispatcher[] = []

  beforeEach(async () => {
    receiver = new Receiver()
    await untilNumbered()
  })
  afterEach(async () => {
    await Promise.all(running.map((one) => one.stop()))
    running = []
    await receiver.stop()
    // Each test has its own endpoints.
    for (const table of ['webhook_endpoint', 'webhook_delivery', 'webhook_attempt', 'webhook_due'])
      await world.db.transact([sql`delete from ${tableOfAllCompanies(table)}`])
  })

  /** Events of the test before would otherwise be those of this one. */
  const untilNumbered = () =>
    until(async () => (await world.db.read(sql`select 1 from ${tableOfAllCompanies('event_inbox')}`)).length === 0)

  const start = (more: Partial<DispatcherParts> = {}): Dispatcher => {
    const one = dispatch(world, more)
    running.push(one)
    return one
  }

  const states = () => statesOf(world.db, world.acme.id)
  const count = async (table: string): Promise<number> =>
    Number((await world.db.read(sql`select count(*) from ${tableOfAllCompanies(table)}`))[0]?.[0])
  const rename = (id: string, project_name: string) => world.acme.patch(`/project?id=eq.${id}`, { project_name })

  const makeAllDue = async (): Promise<void> => {
    // An attempt is made again after five seconds at the earliest.
    const soon = timestampText(new Date(Date.now() + 4000))
    const past = timestampText(new Date(Date.now() - 1000))
    await world.db.transact([
      // Not of those that are being sent: with another time, they would be sent again.
      sql`update ${tableOfAllCompanies('webhook_delivery')} set next_at = ${past} where next_at > ${soon}`,
      sql`update ${tableOfAllCompanies('webhook_due')} set due_at = ${past}`,
    ])
    for (const one of running) one.wake(world.acme.id)
  }

  test('are signed, and have the event as the API shows it', async () => {
    const { shownSecret } = await endpointTo(world.db, world.acme.id, receiver.url)
    start()
    const [id = ''] = await world.acme.seed(['Brücke'])
    await rename(id, 'Bridge')
    await until(() => receiver.received.length === 2)
    for (const { text, headers, json } of receiver.received) {
      expect(new Webhook(shownSecret).verify(text, headers)).toEqual(json)
      const shown = await world.acme.get(`/event?sequence=eq.${json.data.sequence}`)
      expect(json).toEqual({ type: json.data.type, timestamp: json.data.created_at, data: shown.json[0] })
      expect(headers['webhook-id']).toBe(json.data.id)
    }
    expect(receiver.received[1]?.json.data).toMatchObject({
      ...{ type: 'project.updated', row_id: id, previous: { project_name: 'Brücke' }, actor_kind: 'credential' },
      row: { id, project_name: 'Bridge' },
    })
    await until(async () => (await states()).delivered === 2)
  })

  test('go to those endpoints alone that chose the type and whose condition the row meets', async () => {
    const others = [new Receiver(), new Receiver(), new Receiver()] as const
    const [bids, named, rival] = others
    await endpointTo(world.db, world.acme.id, receiver.url)
    await endpointTo(world.db, world.acme.id, bids.url, { types: ['bid.created'] })
    await endpointTo(world.db, world.acme.id, named.url, { filter: 'project_name=like.A*&bid_id=not.is.null' })
    await endpointTo(world.db, world.rival.id, rival.url)
    start()
    await world.acme.seed(['Arch', 'Bridge'])
    await world.acme.post('/bid', { bid_name: 'A bid' })
    const [id = ''] = await world.acme.seed(['Aqueduct'])
    await world.acme.delete(`/project?id=eq.${id}`)
    await until(() => receiver.received.length === 5 && named.received.length === 3 && bids.received.length === 1)
    expect(named.received.map(({ json }) => `${json.type} ${json.data.row.project_name}`).toSorted()).toEqual([
      'project.created Aqueduct',
      'project.created Arch',
      'project.deleted Aqueduct',
    ])
    expect(bids.received.map(({ json }) => json.type)).toEqual(['bid.created'])
    // Another company is never sent anything.
    expect(rival.received).toEqual([])
    await Promise.all(others.map((one) => one.stop()))
  })

  test('are chosen by a field of the company’s own', async () => {
    const owner = await signedIn(world, world.acme.id, 'owner')
    const field = { resource: 'project', name: 'status', type: 'choice', choices: ['open', 'won'] }
    expect((await owner.post('/fields', field)).status).toBe(201)
    const known = await latestResources(world.db, world.acme.id)
    const filter = parseFilter('status=eq.won', null, known)
    await endpointTo(world.db, world.acme.id, receiver.url, { filter })
    start()
    const rows = ['open', 'won'].map((status) => ({ bid_id: world.acme.bid, project_name: status, status }))
    expect((await world.acme.post('/project', rows)).status).toBe(201)
    await until(() => receiver.received.length > 0)
    await world.acme.post('/project', rows)
    await until(() => receiver.received.length === 2)
    expect(receiver.names).toEqual(['won', 'won'])
    expect(() => parseFilter('status=eq.won', null, resources)).toThrow()
  })

  test('stop where a new field makes a condition too slow, and go on when it is changed; others are sent theirs', async () => {
    const owner = await signedIn(world, world.acme.id, 'owner')
    const note = { name: 'note', type: 'choice', choices: ['a'] }
    expect((await owner.post('/fields', { ...note, resource: 'bid' })).status).toBe(201)
    const phrase = `note=phfts.${'a '.repeat(240)}`
    const filter = parseFilter(phrase, null, await latestResources(world.db, world.acme.id))
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url, { filter })
    const rival = new Receiver()
    await endpointTo(world.db, world.rival.id, rival.url)
    const text = { resource: 'project', name: 'note', type: 'text', rules: { max_length: 4000 } }
    expect((await owner.post('/fields', text)).status).toBe(201)
    const known = await latestResources(world.db, world.acme.id)
    expect(() => parseFilter(phrase, null, known)).toThrow('takes too long')
    const disable = createDisable({ db: world.db, mail: null, eventsKeptMs: 0, baseUrl: () => '', failed: () => {} })
    start({ disable })
    await world.acme.seed(['Acme'])
    await world.rival.seed(['Rival'])
    const found = () => findEndpoint(world.db, endpoint)
    await until(async () => (await found()).disabledReason === 'slow_filter' && rival.received.length === 1)
    expect([receiver.received, await states()]).toEqual([[], {}])
    await changeEndpoint(world.db, endpoint, { filter: 'note=is.null', enabled: true }, commandLine)
    await until(() => receiver.received.length === 1)
    expect([receiver.names, (await found()).disabledReason]).toEqual([['Acme'], null])
    await rival.stop()
  })

  test('are chosen in many turns of the event loop', async () => {
    const { id } = await endpointTo(world.db, world.acme.id, receiver.url)
    const endpoint = await findEndpoint(world.db, { companyId: world.acme.id, id })
    await world.acme.seed(Array.from({ length: 8 }, (_, at) => `Long ${at}`))
    await untilNumbered()
    const turns = countTurns()
    const types = Object.assign(['project.created'], {
      includes: () => {
        burn()
        turns.note()
        return true
      },
    })
    await queueEvents(world.db.forRows(world.acme.id), { ...endpoint, types }, resources)
    turns.stop()
    expect([(await states()).pending, turns.mostInOne() <= 2]).toEqual([8, true])
  })

  test('are not of the time before the endpoint was created', async () => {
    await world.acme.seed(['Before'])
    await untilNumbered()
    await endpointTo(world.db, world.acme.id, receiver.url)
    start()
    await world.acme.seed(['After'])
    await until(() => receiver.received.length > 0)
    expect(receiver.names).toEqual(['After'])
  })

  test('are sent again after a failure, with the same id and both signatures during a rotation', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    receiver.answer = (_, number) => (number === 1 ? new Response('no', muchLater(500)) : new Response())
    start()
    await world.acme.seed(['One'])
    await until(async () => (await findEndpoint(world.db, endpoint)).failingSince !== null)
    const next = await rotateEndpoint(world.db, seal, endpoint, { graceSeconds: 60, by: commandLine })
    await until(async () => (await count('webhook_attempt')) === 1)
    await makeAllDue()
    await until(async () => (await states()).delivered === 1)
    expect(receiver.received.length).toBe(2)
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'] ?? '')
    for (const secret of [endpoint.shownSecret, next])
      expect(() => new Webhook(secret).verify(second?.text ?? '', second?.headers ?? {})).not.toThrow()
    expect(() => new Webhook(next).verify(first?.text ?? '', first?.headers ?? {})).toThrow()
    expect((await findEndpoint(world.db, endpoint)).failingSince).toBeNull()
    // Without a grace period, the old secret signs nothing any more.
    const last = await rotateEndpoint(world.db, seal, endpoint, { graceSeconds: 0, by: commandLine })
    await world.acme.seed(['Two'])
    await until(() => receiver.received.length === 3)
    const third = receiver.received[2]
    expect(() => new Webhook(next).verify(third?.text ?? '', third?.headers ?? {})).toThrow()
    expect(() => new Webhook(last).verify(third?.text ?? '', third?.headers ?? {})).not.toThrow()
  })

  test('keep the order of each row, while other rows go on', async () => {
    await endpointTo(world.db, world.acme.id, receiver.url)
    let isStuck = true
    receiver.answer = ({ json }) =>
      json.data.row_id === stuck && isStuck ? new Response('', muchLater(503)) : new Response()
    const [stuck = '', free = ''] = await world.acme.seed(['S1', 'F1'])
    start()
    for (const name of ['2', '3']) {
      await rename(stuck, `S${name}`)
      await rename(free, `F${name}`)
    }
    const of = (rowId: string) => receiver.names.filter((_, at) => receiver.received[at]?.json.data.row_id === rowId)
    await until(() => of(free).length === 3 && of(stuck).length === 1)
    expect(of(free)).toEqual(['F1', 'F2', 'F3'])
    await until(async () => (await states()).pending === 3)
    isStuck = false
    await until(async () => {
      await makeAllDue()
      return of(stuck).length >= 4
    })
    expect(of(stuck)).toEqual(['S1', 'S1', 'S2', 'S3'])
    await until(async () => (await states()).delivered === 6)
  })

  const held = 8
  const sent = 30

  /** Runs something while the first messages, one on each connection, wait for their answers. */
  async function whileSending(work: () => Promise<unknown>): Promise<void> {
    const gate = Promise.withResolvers<void>()
    receiver.answer = () => gate.promise.then(() => new Response(''))
    try {
      await world.acme.seed(Array.from({ length: sent }, (_, at) => `Row ${at}`))
      await until(() => receiver.received.length === held)
      await work()
      // An endpoint is looked at once a second.
      await Bun.sleep(1100)
    } finally {
      gate.resolve()
    }
  }

  test.each([
    ['deleted', deleteEndpoint],
    ['disabled', (db, ref, by) => disableEndpoint(db, ref, 'by_hand', by)],
  ] satisfies [string, (...parts: Parameters<typeof deleteEndpoint>) => Promise<unknown>][])(
    'are not begun once their endpoint is %s',
    async (_, end) => {
      const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
      start()
      await whileSending(() => end(world.db, endpoint, commandLine))
      await until(async () => (await states()).delivered === held)
      await until(async () => (await count('webhook_due')) === 0)
      expect(receiver.received.length).toBe(held)
    },
  )

  /** Sends one message to a host whose name is resolved only when the work is done and the service has had the time to see it. */
  async function whileResolving(work: (endpoint: EndpointRef) => Promise<unknown>): Promise<void> {
    const gate = Promise.withResolvers<void>()
    let asked = 0
    const resolve = async (): Promise<string[]> => {
      asked += 1
      await gate.promise
      return ['127.0.0.1']
    }
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url.replace('127.0.0.1', 'hook.test'))
    start({ send: createSend({ loopback: true, timeoutMs: 300_000, resolve }) })
    await world.acme.seed(['Row'])
    await until(() => asked === 1)
    await work(endpoint)
    await Bun.sleep(1100)
    gate.resolve()
  }

  test('are not sent once their endpoint is disabled while its name is resolved', async () => {
    await whileResolving((endpoint) => disableEndpoint(world.db, endpoint, 'by_hand', commandLine))
    await until(async () => (await count('webhook_due')) === 0)
    expect([receiver.received.length, await states(), await count('webhook_attempt')]).toEqual([0, { pending: 1 }, 0])
  })

  test('go to the new URL, where it changes while the name of the old one is resolved', async () => {
    const other = new Receiver()
    await whileResolving((endpoint) => changeEndpoint(world.db, endpoint, { url: other.url }, commandLine))
    await until(async () => (await states()).delivered === 1)
    expect([receiver.received.length, other.received.length]).toEqual([0, 1])
    await other.stop()
  })

  test('go to the new URL, signed with the new secret, from the next attempt on', async () => {
    const other = new Receiver()
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    let secret = ''
    start()
    await whileSending(async () => {
      await changeEndpoint(world.db, endpoint, { url: other.url }, commandLine)
      secret = await rotateEndpoint(world.db, seal, endpoint, { graceSeconds: 0, by: commandLine })
    })
    await until(async () => (await states()).delivered === sent)
    expect([receiver.received.length, other.received.length]).toEqual([held, sent - held])
    for (const { text, headers } of other.received)
      expect(() => new Webhook(secret).verify(text, headers)).not.toThrow()
    await other.stop()
  })

  test('that happen after a change are sent to the endpoint as it is then', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    let secret = ''
    // The worker that sends the first event goes on with the second.
    receiver.answer = async (_, number) => {
      if (number === 1) {
        secret = await rotateEndpoint(world.db, seal, endpoint, { graceSeconds: 0, by: commandLine })
        await world.acme.seed(['Two'])
        await untilNumbered()
      }
      return new Response()
    }
    start()
    await world.acme.seed(['One'])
    await until(() => receiver.received.length === 2)
    const second = receiver.received[1]
    expect(() => new Webhook(secret).verify(second?.text ?? '', second?.headers ?? {})).not.toThrow()
  })

  test('wait while their company is being deleted, and go on if that is undone', async () => {
    const company = { id: world.acme.id, name: 'Acme' }
    const begin = () => startDeletion(world.db, commandLine, company)
    const undo = () => undoDeletion(world.db, commandLine, company)
    await endpointTo(world.db, world.acme.id, receiver.url)
    const first = start()
    try {
      await whileSending(begin)
      await until(async () => (await states()).delivered === held)
      await Bun.sleep(1500)
      expect(receiver.received.length).toBe(held)
      await undo()
      await until(() => receiver.received.length === sent)
      await first.stop()
      await world.acme.seed(['Later'])
      await untilNumbered()
      await begin()
      const { wake } = start()
      wake(world.acme.id)
      await Bun.sleep(1500)
      expect([await count('webhook_delivery'), receiver.received.length]).toEqual([sent, sent])
    } finally {
      await undo()
    }
    await until(() => receiver.received.length === sent + 1)
  })

  test('are not begun once the instance stops', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    const first = start()
    const [id = ''] = await world.acme.seed(['1'])
    for (const name of ['2', '3']) await rename(id, name)
    await until(async () => (await states()).delivered === 3)
    await first.stop()
    for (const { json } of [...receiver.received])
      await replayOne(world.db, { ...endpoint, eventId: json.data.id }, commandLine)
    const gate = Promise.withResolvers<void>()
    receiver.answer = () => gate.promise.then(() => new Response(''))
    const second = start()
    await until(() => receiver.received.length === 4)
    const stopped = second.stop()
    gate.resolve()
    await stopped
    expect(receiver.names).toEqual(['1', '2', '3', '1'])
    expect(await states()).toEqual({ delivered: 1, pending: 2 })
  })

  test('wait as long as Retry-After says', async () => {
    await endpointTo(world.db, world.acme.id, receiver.url)
    receiver.answer = () => new Response('', muchLater(429))
    start()
    await world.acme.seed(['One'])
    const tried = () =>
      world.db.read(sql`select next_at from ${tableOfAllCompanies('webhook_delivery')} where attempts = 1`)
    await until(async () => (await tried()).length === 1)
    expect(Date.parse(String((await tried())[0]?.[0])) - Date.now()).toBeGreaterThan(3_000_000)
  })

  test('end after the last attempt of the schedule, and let the next event of the row go on', async () => {
    await endpointTo(world.db, world.acme.id, receiver.url)
    receiver.answer = ({ json }) => new Response('', { status: json.data.row.project_name === 'First' ? 500 : 200 })
    const [id = ''] = await world.acme.seed(['First'])
    await rename(id, 'Second')
    start()
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await until(async () => (await count('webhook_attempt')) >= attempts)
      await makeAllDue()
    }
    await until(async () => (await states()).delivered === 1)
    expect(await states()).toEqual({ delivered: 1, failed: 1 })
    expect(receiver.names).toEqual([...Array.from({ length: 10 }, () => 'First'), 'Second'])
  })

  test('stop with 410 Gone or after five days of failure; the owners are told; enabled, nothing is lost', async () => {
    const email = newEmail()
    await createPerson(world.db, { name: 'Ada', email, password }, 'operator', (personId) =>
      joinCompany(commandLine, { companyId: world.acme.id, personId, email, role: 'owner' }),
    )
    const mails: { readonly to: string; readonly text: string }[] = []
    const mail = { send: async (message: { to: string; subject: string; text: string }) => void mails.push(message) }
    const eventsKeptMs = 12 * 3_600_000
    const disable = createDisable({ db: world.db, mail, eventsKeptMs, baseUrl: () => 'http://here', failed: () => {} })
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    const reason = async () => (await findEndpoint(world.db, endpoint)).disabledReason
    receiver.answer = () => new Response('', { status: 410 })
    start({ disable })
    await world.acme.seed(['One', 'Two'])
    await until(async () => (await reason()) === 'gone')
    const before = receiver.received.length
    await world.acme.seed(['Three'])
    receiver.answer = () => new Response('', { status: 500 })
    await enableEndpoint(world.db, endpoint, commandLine)
    await until(() => receiver.received.length > before)
    await until(async () => (await findEndpoint(world.db, endpoint)).failingSince !== null)
    await Promise.all(running.map((one) => one.stop()))
    const longAgo = timestampText(new Date(Date.now() - 6 * 86_400_000))
    await world.db.transact([sql`update ${tableOfAllCompanies('webhook_endpoint')} set failing_since = ${longAgo}`])
    await makeAllDue()
    start({ disable })
    await until(async () => (await reason()) === 'failing')
    receiver.answer = () => new Response('')
    await enableEndpoint(world.db, endpoint, commandLine)
    await until(async () => {
      await makeAllDue()
      return (await states()).delivered === 3
    })
    const told = () => mails.filter(({ to }) => to === email)
    await until(() => told().length === 2)
    for (const { text } of told())
      for (const part of ['within 12 hours', `/c/${world.acme.id}/webhooks/${endpoint.id}`])
        expect(text).toContain(part)
  })

  test('are due at once when their endpoint is enabled again', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    receiver.answer = () => new Response('', muchLater(503))
    start()
    const [id = ''] = await world.acme.seed(['A'])
    await rename(id, 'B')
    await until(async () => (await count('webhook_attempt')) === 1)
    await disableEndpoint(world.db, endpoint, 'by_hand', commandLine)
    receiver.answer = () => new Response('')
    await enableEndpoint(world.db, endpoint, commandLine)
    await until(async () => (await states()).delivered === 2)
    expect(receiver.names).toEqual(['A', 'A', 'B'])
  })

  test('are due at once also where their endpoint is enabled while a worker leaves it', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    await world.acme.seed(['A'])
    await disableEndpoint(world.db, endpoint, 'by_hand', commandLine)
    await untilNumbered()
    await world.db.transact([dueNow(endpoint)])
    let isEnabled = false
    const enabling = (own: CompanyStore): CompanyStore => ({
      ...own,
      transact: async (statements, check, right) => {
        const isRelease = statements.some(({ texts }) => texts.join('').includes('delete from'))
        if (isRelease && !isEnabled) {
          isEnabled = true
          await enableEndpoint(world.db, endpoint, commandLine)
        }
        return own.transact(statements, check, right)
      },
    })
    start({ db: { ...world.db, forCompany: (id) => enabling(world.db.forCompany(id)) } })
    await until(() => receiver.received.length === 1)
    expect(receiver.names).toEqual(['A'])
  })

  test('of a killed instance are taken over, and of two instances only one sends at a time', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    await world.acme.seed(['One'])
    await untilNumbered()
    await world.db.transact([dueNow(endpoint)])
    const lease = await claim(world.db, endpoint)
    if (!lease) throw new Error('Nobody else is there')
    expect(await claim(world.db, endpoint)).toBeNull()
    start()
    start()
    expect(await renew(world.db, lease)).toBe(true)
    expect(receiver.received).toEqual([])
    // As if its holder had been killed half a minute ago.
    const past = timestampText(new Date(Date.now() - 1000))
    await world.db.transact([sql`update ${tableOfAllCompanies('webhook_due')} set leased_until = ${past}`])
    await until(() => receiver.received.length === 1)
    expect(await renew(world.db, lease)).toBe(false)
    await world.acme.seed(Array.from({ length: 300 }, (_, at) => `Many ${at}`))
    await until(async () => (await states()).delivered === 301)
    expect(receiver.received.length).toBe(301)
  })

  test('once stopped, use the database no more', async () => {
    let uses = 0
    const db = new Proxy(world.db, {
      get: (all, name) => {
        uses += 1
        return Reflect.get(all, name)
      },
    })
    const one = start({ db })
    one.wake(world.acme.id)
    await one.stop()
    const before = uses
    await Bun.sleep(200)
    expect(uses).toBe(before)
  })

  test('of a slow endpoint delay no other', async () => {
    const slow = new Receiver()
    const gate = Promise.withResolvers<void>()
    slow.answer = () => gate.promise.then(() => new Response(''))
    for (let at = 0; at < 6; at += 1) await endpointTo(world.db, world.rival.id, slow.url)
    await endpointTo(world.db, world.acme.id, receiver.url)
    // So long that whoever waits for the slow ones waits for ever.
    start({ send: createSend({ loopback: true, timeoutMs: 300_000 }) })
    await world.rival.seed(Array.from({ length: 50 }, (_, at) => `Slow ${at}`))
    await until(() => slow.received.length > 0)
    await world.acme.seed(['Quick'])
    await until(() => receiver.received.length === 1)
    gate.resolve()
    await slow.stop()
  })

  test('are replayed since a time, in order', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    start()
    await world.acme.seed(['Too early'])
    await until(async () => (await states()).delivered === 1)
    await Bun.sleep(5)
    const since = new Date()
    const [id = ''] = await world.acme.seed(['A'])
    await rename(id, 'B')
    await until(async () => (await states()).delivered === 3)
    await replaySince(world.db, endpoint, since, commandLine)
    await until(() => receiver.received.length === 5)
    expect(receiver.names.slice(3)).toEqual(['A', 'B'])
  })

  test('are replayed in order when a later event of the row is pending', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    receiver.answer = (_, number) => new Response('', number === 2 ? muchLater(503) : {})
    start()
    const since = new Date()
    const [id = ''] = await world.acme.seed(['A'])
    await until(async () => (await states()).delivered === 1)
    await rename(id, 'B')
    await rename(id, 'C')
    await until(async () => (await states()).pending === 2 && (await count('webhook_attempt')) === 2)
    await replaySince(world.db, endpoint, since, commandLine)
    // As if the time of the pending one had come just then.
    await until(async () => (await states()).pending === 3 || receiver.received.length > 2)
    await makeAllDue()
    await until(() => receiver.received.length === 5)
    expect(receiver.names).toEqual(['A', 'B', 'A', 'B', 'C'])
    await until(async () => (await states()).delivered === 3)
  })

  for (const [what, status] of [
    ['received', 200],
    ['refused', 503],
  ] as const)
    test(`that are replayed while they are being sent are sent again, also when they are then ${what}`, async () => {
      const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
      receiver.answer = async ({ json }, number) => {
        if (number === 1) await replayOne(world.db, { ...endpoint, eventId: json.data.id }, commandLine)
        return new Response('', number === 1 ? muchLater(status) : {})
      }
      start()
      await world.acme.seed(['One'])
      await until(() => receiver.received.length === 2)
      expect(receiver.names).toEqual(['One', 'One'])
      await until(async () => (await states()).delivered === 1)
      expect(await count('webhook_attempt')).toBe(2)
    })

  test('end with their endpoint, and are swept after a time', async () => {
    const endpoint = await endpointTo(world.db, world.acme.id, receiver.url)
    start()
    await world.acme.seed(['First'])
    await until(async () => (await states()).delivered === 1)
    await deleteEndpoint(world.db, endpoint, commandLine)
    await world.acme.seed(['Nobody hears of it'])
    await untilNumbered()
    await endpointTo(world.db, world.acme.id, receiver.url)
    await world.acme.seed(['Last'])
    await until(async () => (await states()).delivered === 2)
    expect(receiver.names).toEqual(['First', 'Last'])
    await sweepWebhooks(world.db, 60_000)
    expect([await count('webhook_delivery'), await count('webhook_attempt')]).toEqual([2, 2])
    await sweepWebhooks(world.db, -60_000)
    expect([await count('webhook_delivery'), await count('webhook_attempt')]).toEqual([0, 0])
  })
})
