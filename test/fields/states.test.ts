import { beforeAll, expect, test } from 'bun:test'
import { updateField } from '../../src/fields/change-field.ts'
import { createField } from '../../src/fields/fields.ts'
import { onEachEngine } from '../support/engines.ts'

const transitions = { lead: ['offer', 'lost'], offer: ['won', 'lost'], won: ['done'] }
const choices = ['lead', 'offer', 'won', 'lost', 'done']
const merge = { Prefer: 'resolution=merge-duplicates, return=representation' }

onEachEngine('states', (world) => {
  let tags = ''

  beforeAll(async () => {
    const { db, acme } = world
    await createField(db, acme.id, {
      resource: 'project',
      name: 'status',
      type: 'choice',
      choices,
      initial: 'lead',
      transitions,
    })
    await createField(db, acme.id, { resource: 'project', name: 'note', type: 'text' })
    await createField(db, acme.id, {
      resource: 'bid',
      name: 'stage',
      type: 'choice',
      choices,
      initial: 'lead',
      transitions,
      start: 'any',
    })
    const tagsField = { resource: 'bid', name: 'labels', type: 'choices', choices: ['old', 'new'] }
    tags = (await createField(db, acme.id, tagsField)).id
  })

  const project = (more: object = {}) => ({ bid_id: world.acme.bid, project_name: 'P', ...more })
  const make = async (): Promise<string> => (await world.acme.post('/project', project())).json.id
  const move = (id: string, status: string | null) => world.acme.patch(`/project?id=eq.${id}`, { status })
  const statusOf = async (id: string) => (await world.acme.get(`/project?id=eq.${id}&select=status`)).json[0].status

  test('begin with the initial one', async () => {
    expect((await world.acme.post('/project', project())).json.status).toBe('lead')
    expect((await world.acme.post('/project', project({ status: 'lead' }))).status).toBe(201)
    for (const status of ['won', null]) {
      const { status: code, json } = await world.acme.post('/project', project({ status }))
      expect([code, json.code]).toEqual([409, 'transition_not_allowed'])
      expect(json.hint).toContain('Allowed next: lead.')
    }
  })

  test('begin anywhere where the field says so', async () => {
    expect((await world.acme.post('/bid', { bid_name: 'import', stage: 'won' })).json.stage).toBe('won')
    expect((await world.acme.post('/bid', { bid_name: 'import' })).json.stage).toBe('lead')
  })

  test('change by the transitions alone', async () => {
    const id = await make()
    expect((await move(id, 'lead')).status).toBe(204)
    const { status, json } = await move(id, 'won')
    expect([status, json.code]).toEqual([409, 'transition_not_allowed'])
    expect([json.message, json.hint]).toEqual([
      '"status" cannot change from lead to won',
      'Allowed next: offer, lost. Nothing was changed.',
    ])
    expect((await move(id, null)).status).toBe(409)
    expect((await move(id, 'offer')).status).toBe(204)
    expect((await move(id, 'won')).status).toBe(204)
    expect((await move(id, 'lead')).status).toBe(409)
    expect((await world.acme.patch(`/project?id=eq.${id}`, { note: 'as it was' })).status).toBe(204)
    expect(await statusOf(id)).toBe('won')
  })

  test('change all or nothing', async () => {
    const [one, other] = [await make(), await make()]
    await move(other, 'lost')
    const both = `/project?id=in.(${one},${other})`
    expect((await world.acme.patch(both, { status: 'offer', note: 'x' })).json.code).toBe('transition_not_allowed')
    expect((await world.acme.get(`${both}&select=status,note&order=id`)).json).toEqual([
      { status: 'lead', note: null },
      { status: 'lost', note: null },
    ])
  })

  test('are kept by upserts and by PUT', async () => {
    const id = await make()
    const fresh = Bun.randomUUIDv7()
    const refused = await world.acme.post(
      '/project',
      [project({ id, status: 'offer' }), project({ id: fresh, status: 'offer' })],
      merge,
    )
    expect([refused.status, refused.json.code]).toEqual([409, 'transition_not_allowed'])
    expect(await statusOf(id)).toBe('lead')
    const merged = await world.acme.post(
      '/project',
      [project({ id, status: 'offer' }), project({ id: fresh, status: 'lead' })],
      merge,
    )
    expect(merged.json.map((row: { status: string }) => row.status)).toEqual(['offer', 'lead'])
    expect((await world.acme.put(`/project?id=eq.${id}`, project({ id, status: 'done' }))).status).toBe(409)
    expect((await world.acme.put(`/project?id=eq.${id}`, project({ id, status: 'won' }))).status).toBe(204)
    const made = Bun.randomUUIDv7()
    expect((await world.acme.put(`/project?id=eq.${made}`, project({ id: made, status: 'won' }))).status).toBe(409)
    expect((await world.acme.post('/project', project({ id, project_name: 'Q' }), merge)).json).toMatchObject([
      { status: 'won' },
    ])
  })

  test('of rows from before the field begin with the initial one', async () => {
    expect(await statusOf(world.acme.project)).toBeNull()
    expect((await move(world.acme.project, 'won')).json.hint).toContain('Allowed next: lead.')
    expect((await move(world.acme.project, 'lead')).status).toBe(204)
  })

  test('that are closed stay with the rows that have them', async () => {
    const { db, acme } = world
    const { id } = (await acme.post('/bid', { bid_name: 'tagged', labels: ['old'] })).json
    const ref = { companyId: acme.id, id: tags }
    await expect(updateField(db, ref, { choices: ['new'] })).rejects.toThrow('rows with the value')
    await updateField(db, ref, { choices: [{ value: 'old', closed: true }, 'new'] })
    expect((await acme.post('/bid', { bid_name: 'late', labels: ['old'] })).status).toBe(409)
    expect((await acme.patch(`/bid?id=eq.${id}`, { labels: ['new', 'old'] })).status).toBe(204)
    expect((await acme.patch(`/bid?id=eq.${acme.bid}`, { labels: ['old'] })).status).toBe(409)
    expect((await acme.patch(`/bid?id=eq.${acme.bid}`, { labels: ['new'] })).status).toBe(204)
  })

  test('that are closed are found whatever their characters are', async () => {
    const { db, acme } = world
    const field = { resource: 'bid', name: 'marks', type: 'choices', choices: ['a', 'b', ',', 'a","b'] }
    const { id } = await createField(db, acme.id, field)
    const ref = { companyId: acme.id, id }
    const closed = [',', 'a","b'].map((value) => ({ value, closed: true }))
    await updateField(db, ref, { choices: ['a', 'b', ...closed] })
    const patch = async (marks: readonly string[]) => (await acme.patch(`/bid?id=eq.${acme.bid}`, { marks })).status
    expect(await patch(['a'])).toBe(204)
    expect(await patch(['a', 'b'])).toBe(204)
    expect(await patch(['a', 'b', ','])).toBe(409)
    expect(await patch([])).toBe(204)
    expect((await acme.patch(`/bid?id=eq.${acme.bid}`, { marks: null })).status).toBe(204)
    expect(await patch(['a","b'])).toBe(409)
  })

  test('have so many transitions that a write stays quick, and no more', async () => {
    const { db, rival } = world
    const all = Array.from({ length: 45 }, (_, at) => `state ${at}`)
    const field = {
      ...{ resource: 'bid', type: 'choice', choices: all, start: 'any' },
      transitions: Object.fromEntries(all.map((from) => [from, all.slice(0, 40)])),
    }
    const { id } = await createField(db, rival.id, { ...field, name: 'one' })
    const ref = { companyId: rival.id, id }
    await expect(createField(db, rival.id, { ...field, name: 'two' })).rejects.toThrow('at most 2000 transitions')
    const whole = Object.fromEntries(all.map((from) => [from, all]))
    await expect(updateField(db, ref, { transitions: whole })).rejects.toThrow('at most 2000 transitions')
    await updateField(db, ref, { label: 'First' })
    await createField(db, rival.id, { resource: 'bid', name: 'three', type: 'choice', choices: all })
  })

  test('are the company’s own', async () => {
    const { status } = await world.rival.patch(`/project?id=eq.${world.rival.project}`, { status: 'won' })
    expect(status).toBe(400)
  })

  // Each winner notes what it has seen before; the transitions in between must all be allowed.
  test('hold while 64 writers race for them', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, make))
    const done = new Map<string, string[]>(ids.map((id) => [id, []]))
    const race = async (seed: number) => {
      for (let step = 0; step < 12; step += 1) {
        const id = ids[(seed * 7 + step * 13) % ids.length] ?? ''
        const to = choices[(seed + step) % choices.length] ?? ''
        const { status } = await move(id, to)
        expect([204, 409]).toContain(status)
        if (status === 204) done.get(id)?.push(to)
      }
    }
    await Promise.all(Array.from({ length: 64 }, (_, seed) => race(seed)))
    const allowed: Record<string, readonly string[]> = transitions
    for (const [id, moves] of done) {
      const changes = new Set(moves)
      // Every state that was reached has one that leads to it.
      for (const to of changes) {
        const before = ['lead', ...changes].filter((from) => from === to || allowed[from]?.includes(to))
        expect(before.length).toBeGreaterThan(0)
      }
      expect(['lead', ...changes]).toContain(await statusOf(id))
      expect(changes.has('won') && changes.has('lost')).toBe(false)
    }
  })
})
