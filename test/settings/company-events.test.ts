import { beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../src/cli/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { auditOf, type Browser, behindProxy, outcome, signedIn } from './support.ts'

onEachEngine(
  'the events of a company',
  (world) => {
    const people: Record<'owner' | 'viewer', Browser> = Object.create(null)
    beforeAll(async () => {
      people.owner = await signedIn(world, world.acme.id, 'owner')
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
    }, 300_000)

    const lastEvent = async () => (await world.acme.get('/event?order=sequence.desc&limit=1')).json[0]

    test('say which person made a change in the settings page', async () => {
      const { json: bid } = await people.owner.post('/rest/bid', { bid_name: 'by hand' })
      await until(async () => (await lastEvent())?.row_id === bid.id)
      const { json: session } = await people.owner.get('/session')
      expect(await lastEvent()).toMatchObject({ actor_kind: 'person', actor_id: session.person.id, row: bid })
    })

    test('are turned off by an owner, and on again on the command line', async () => {
      expect(outcome(await people.viewer.send('PUT', '/company/events', { on: false }))).toEqual([403, 'forbidden'])
      expect((await people.owner.send('PUT', '/company/events', { on: false })).json).toEqual({ on: false })
      expect((await people.viewer.get('/company/events')).json).toEqual({ on: false })
      expect(await auditOf(world, world.acme.id, 'company.events_off')).toHaveLength(1)
      const before = await lastEvent()
      await people.owner.post('/rest/bid', { bid_name: 'quiet' })
      expect(await lastEvent()).toEqual(before)
      const printed: string[] = []
      const print = (text: string) => printed.push(text)
      const env = { DATABASE_URL: world.databaseUrl }
      const args = ['company', 'events', 'Acme', 'on', '--json']
      await runCommand(args, { env, isTerminal: false, startedAt: 0, print, printError: print })
      expect(JSON.parse(printed.join(''))).toEqual({ id: world.acme.id, name: 'Acme', events: 'on' })
      const { json: bid } = await people.owner.post('/rest/bid', { bid_name: 'loud' })
      await until(async () => (await lastEvent())?.row_id === bid.id)
    })

    test('of another company stay as they are', async () => {
      await people.owner.send('PUT', '/company/events', { on: false })
      const { json: bid } = await world.rival.post('/bid', { bid_name: 'theirs' })
      await until(async () => (await world.rival.get(`/event?row_id=eq.${bid.id}`)).json.length === 1)
      await people.owner.send('PUT', '/company/events', { on: true })
    })
  },
  behindProxy,
)
