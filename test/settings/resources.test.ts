import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { type Browser, behindProxy, outcome, signedIn, visit } from './support.ts'

onEachEngine(
  'what the settings page learns of the resources',
  (world) => {
    const people: { viewer: Browser; newcomer: Browser } = Object.create(null)
    beforeAll(async () => {
      people.viewer = await signedIn(world, world.acme.id, 'viewer')
      people.newcomer = await signedIn(world, null, 'owner')
    }, 300_000)

    const none = { references: null, default: null, max_length: null, choices: null, states: null }
    const unset = { ...none, nullable: false, needed: false, own: false }
    const id = {
      ...{ ...unset, name: 'id', label: 'Id', description: 'Made by the server unless sent.', type: 'uuid' },
      writable: true,
    }
    const name = {
      ...{ ...unset, label: 'Name', description: 'Name for people to read.', type: 'text' },
      ...{ writable: true, needed: true, max_length: 255 },
    }
    const noted = [
      ...[{ ...unset, name: 'created_at', label: 'Created', description: 'When it was created.' }],
      ...[{ ...unset, name: 'updated_at', label: 'Updated', description: 'When it was last changed.' }],
    ].map((column) => ({ ...column, type: 'timestamp', writable: false }))
    const bidId = {
      ...{ ...unset, name: 'bid_id', label: 'Bid', description: 'The bid that the project belongs to.', type: 'uuid' },
      ...{ references: 'bid', writable: true, needed: true },
    }

    test('is what the definitions say, each resource after those that it refers to', async () => {
      const { status, headers, json } = await people.viewer.get('/resources')
      expect([status, headers.get('Cache-Control')]).toEqual([200, 'no-store'])
      const written = json.filter(({ read_only }: { read_only: boolean }) => !read_only)
      expect(written).toEqual([
        {
          ...{ name: 'bid', one: 'bid', many: 'bids', path: '/bids', description: 'An offer that projects belong to.' },
          ...{ primary_key: 'id', naming_column: 'bid_name', read_only: false, takes_fields: true },
          columns: [id, { ...name, name: 'bid_name' }, ...noted],
        },
        {
          ...{ name: 'project', one: 'project', many: 'projects', path: '/projects' },
          ...{ description: 'Work that belongs to a bid.', primary_key: 'id' },
          ...{ naming_column: 'project_name', read_only: false, takes_fields: true },
          columns: [id, bidId, { ...name, name: 'project_name' }, ...noted],
        },
      ])
    })

    test('tells of those that can only be read that nothing of them can be entered', async () => {
      const { json } = await people.viewer.get('/resources')
      const event = json.find(({ name }: { name: string }) => name === 'event')
      expect(event).toMatchObject({ one: 'event', path: '/events', primary_key: 'sequence', read_only: true })
      const isEntered = ({ writable, needed }: { writable: boolean; needed: boolean }) => writable || needed
      expect(event.columns.some(isEntered)).toBe(false)
    })

    test('is for members of a company', async () => {
      expect(outcome(await visit(world).get('/resources'))).toEqual([401, 'not_signed_in'])
      expect(outcome(await people.newcomer.get('/resources'))).toEqual([403, 'forbidden'])
    })
  },
  behindProxy,
)
