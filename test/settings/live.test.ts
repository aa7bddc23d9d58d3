import { afterEach, beforeAll, expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { onEachEngine } from '../support/engines.ts'
import { LiveReader, settled } from '../support/live-reader.ts'
import { until } from '../support/service.ts'
import { type Browser, behindProxy, signedIn, visit } from './support.ts'

onEachEngine(
  'live changes for people',
  (world) => {
    const people: Record<'owner' | 'stranger', Browser> = Object.create(null)
    beforeAll(async () => {
      await settled(world)
      people.owner = await signedIn(world, world.acme.id, 'owner')
      people.stranger = await signedIn(world, world.rival.id, 'owner')
    }, 300_000)

    const opened: LiveReader[] = []
    const open = async (person: Browser, path = '/rest/bid?select=id'): Promise<LiveReader> => {
      const reader = await LiveReader.open(`${world.base}/api${path}`, {
        Cookie: person.cookie,
        'Sec-Fetch-Site': 'same-origin',
      })
      opened.push(reader)
      return reader
    }
    afterEach(() => {
      for (const reader of opened.splice(0)) reader.close()
    })

    test('come by the session, as applications and other people make them', async () => {
      const viewer = await signedIn(world, world.acme.id, 'viewer')
      const reader = await open(viewer, `/c/${world.acme.id}/rest/bid?select=id`)
      const { json: bid } = await world.acme.post('/bid', { bid_name: 'by an application' })
      await people.owner.patch(`/rest/bid?id=eq.${bid.id}`, { bid_name: 'by a person' })
      await people.owner.delete(`/rest/bid?id=eq.${bid.id}`)
      const changes = await reader.take(3)
      expect(changes.map(({ event }) => event)).toEqual(['bid.created', 'bid.updated', 'bid.deleted'])
      expect(changes.map(({ data }) => data.row)).toEqual([{ id: bid.id }, { id: bid.id }, { id: bid.id }])
    })

    test('of another company are never told of', async () => {
      const theirs = await open(people.stranger)
      const own = await open(people.owner)
      await world.acme.post('/bid', { bid_name: 'secret of acme' })
      await own.take(1)
      await world.rival.post('/bid', { bid_name: 'of rival' })
      const [{ data } = { data: null }] = await theirs.take(1)
      expect((await world.rival.get(`/bid?id=eq.${data.row.id}`)).json[0].bid_name).toBe('of rival')
      const refused = await open(people.stranger, `/c/${world.acme.id}/rest/bid`)
      expect(refused.response.status).toBe(404)
      expect((await open(visit(world))).response.status).toBe(401)
    })

    test('end with the membership, and with the session', async () => {
      const [removed, gone] = [
        await signedIn(world, world.acme.id, 'viewer'),
        await signedIn(world, world.acme.id, 'viewer'),
      ]
      const readers = [await open(removed), await open(gone), await open(people.owner)]
      const { json: session } = await removed.get('/session')
      expect((await people.owner.delete(`/members/${session.person.id}`)).status).toBe(204)
      await until(() => readers[0]?.isEnded === true)
      await gone.signOut()
      await until(() => readers[1]?.isEnded === true)
      expect(readers[2]?.isEnded).toBe(false)
    })

    test('end when the fields of the company change, or its events are turned off', async () => {
      const [other, reader] = [await open(people.owner), await open(people.stranger)]
      await createField(world.db, world.rival.id, { resource: 'bid', name: 'floors', type: 'integer' })
      await until(() => reader.isEnded)
      const again = await open(people.stranger, '/rest/bid?floors=gt.3')
      await people.stranger.send('PUT', '/company/events', { on: false })
      await until(() => again.isEnded)
      await people.stranger.send('PUT', '/company/events', { on: true })
      expect(other.isEnded).toBe(false)
    })

    test('are refused where the company has turned its events off', async () => {
      await people.stranger.send('PUT', '/company/events', { on: false })
      expect((await open(people.stranger)).response.status).toBe(409)
      await people.stranger.send('PUT', '/company/events', { on: true })
      expect((await open(people.stranger)).response.status).toBe(200)
    })
  },
  behindProxy,
)
