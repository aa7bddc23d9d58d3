import { beforeAll, expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { onEachEngine } from '../support/engines.ts'
import { addFields, everyType, nothingSet, sample } from './support.ts'

const returned = { Prefer: 'return=representation' }
const names = everyType.map(({ name }) => name)

onEachEngine('a company’s own columns', (world) => {
  beforeAll(async () => {
    await addFields(world.acme, 'project')
    await createField(world.db, world.acme.id, { resource: 'bid', name: 'amount', type: 'decimal', default_value: 7 })
    await createField(world.db, world.rival.id, { resource: 'project', name: 'note', type: 'integer' })
  })

  const make = async (row: object = {}) => {
    const { status, json } = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'P', ...row })
    expect(status).toBe(201)
    return json
  }
  const ask = (path: string, headers = {}) => world.acme.get(path, headers)

  test('come behind the built-in ones, in their order', async () => {
    const [row] = (await ask(`/project?id=eq.${world.acme.project}`)).json
    expect(Object.keys(row)).toEqual(['id', 'bid_id', 'project_name', 'created_at', 'updated_at', ...names])
    expect(row).toMatchObject(nothingSet)
  })

  test('are written and read as they are shown', async () => {
    const made = await make(sample)
    expect(made).toMatchObject(sample)
    const { text } = await ask(`/project?id=eq.${made.id}`)
    expect(JSON.parse(text)[0]).toEqual(made)
    expect(text).toContain('"contract_value":1234.50')
    expect((await ask(`/project?id=eq.${made.id}&select=${names.toReversed().join()}`)).json[0]).toEqual(sample)
    expect((await ask(`/project?id=eq.${made.id}&select=a:note,b:trades`)).json).toEqual([
      { a: sample.note, b: sample.trades },
    ])
  })

  test('have the rules and the error codes of built-in columns', async () => {
    const cases = [
      [{ floors: 'many' }, '22P02'],
      [{ floors: 201 }, '23514'],
      [{ floors: -1 }, '23514'],
      [{ stage: 'gone' }, '23514'],
      [{ trades: ['roof', 'roof'] }, '23514'],
      [{ trades: ['tree'] }, '23514'],
      [{ plan_url: 'ftp://x' }, '23514'],
      [{ contact: 'nobody' }, '23514'],
      [{ due_on: 'soon' }, '22007'],
      [{ due_on: `2026-01-31 1000${' '.repeat(100_000)}x` }, '22007'],
      [{ due_on: '12026-01-31' }, '22008'],
      [{ seen_at: '9999-12-31T23:59:59-14:00' }, '22008'],
      [{ note: 'x'.repeat(501) }, '23514'],
      [{ notes: 'x' }, 'PGRST204'],
    ] as const
    for (const [row, code] of cases) {
      const { status, json } = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'P', ...row })
      expect([row, status, json.code]).toEqual([row, 400, code])
      expect((await world.acme.patch(`/project?id=eq.${world.acme.project}`, row)).json.code).toBe(code)
    }
    expect((await ask('/project?nota=eq.1')).json.hint).toContain('project.note')
    expect((await ask('/project?floors=like.*1*')).json.code).toBe('42883')
    expect((await ask('/project?order=trades')).json.code).toBe('42883')
  })

  test.each([
    ['note=eq.Alpha', 'a'],
    ['note=ilike.*ALPH*', 'a'],
    ['note=in.(Alpha,Beta)', 'ab'],
    ['note=fts.beta', 'b'],
    ['note=match.^B', 'b'],
    ['floors=gt.9', 'b'],
    ['floors=in.(2,10)', 'ab'],
    ['floors=is.null', 'c'],
    ['contract_value=gte.10.50', 'b'],
    ['contract_value=eq.9.99', 'a'],
    ['contract_value=lt.10.005', 'a'],
    ['share=lt.0.5', 'a'],
    ['is_public=is.true', 'a'],
    ['is_public=eq.false', 'b'],
    ['due_on=gte.2026-06-01', 'b'],
    ['seen_at=lt.2026-01-02', 'a'],
    ['stage=neq.won', 'b'],
    ['stage=isdistinct.won', 'bc'],
    ['trades=cs.{roof}', 'ab'],
    ['trades=ov.{paint,wall}', 'b'],
    ['trades=eq.{roof}', 'a'],
    ['or=(floors.eq.2,and(floors.gt.9,stage.eq.lost))', 'ab'],
    ['not.or=(floors.eq.2,floors.eq.10)', ''],
    ['plan_url=like.https://a*', 'a'],
    ['contact=eq.b@b.example', 'b'],
    ['order=floors.desc.nullslast', 'bac'],
    ['order=contract_value', 'abc'],
    ['order=note.desc.nullsfirst', 'cba'],
    ['order=is_public,floors', 'bac'],
    ['order=due_on.desc&limit=2', 'cb'],
    ['order=seen_at.nullsfirst&limit=1&offset=1', 'a'],
  ])('are filtered and ordered by: %s', async (query, found) => {
    const bid = (await world.acme.post('/bid', { bid_name: 'filters' })).json.id
    const row = (project_name: string, more: object) => ({ bid_id: bid, project_name, ...nothingSet, ...more })
    await world.acme.post('/project', [
      row('a', {
        ...{ note: 'Alpha', floors: 2, contract_value: 9.99, share: 0.25, is_public: true, due_on: '2026-01-01' },
        ...{ seen_at: '2026-01-01T00:00:00Z', stage: 'won', trades: ['roof'], plan_url: 'https://a.example' },
      }),
      row('b', {
        ...{ note: 'Beta', floors: 10, contract_value: 10.5, share: 0.75, is_public: false, due_on: '2026-12-01' },
        ...{ seen_at: '2026-02-01T00:00:00Z', stage: 'lost', trades: ['roof', 'wall'], contact: 'b@b.example' },
      }),
      row('c', {}),
    ])
    const { json } = await ask(`/project?bid_id=eq.${bid}&${query}`)
    const all = json.map(({ project_name }: { project_name: string }) => project_name).join('')
    expect(query.startsWith('order') ? all : [...all].sort().join('')).toBe(found)
  })

  test('are cast, aggregated and grouped', async () => {
    const bid = (await world.acme.post('/bid', { bid_name: 'groups' })).json.id
    const row = (stage: string, contract_value: number) => ({
      bid_id: bid,
      project_name: 'P',
      stage,
      contract_value,
      floors: 3,
    })
    await world.acme.post('/project', [row('won', 1.25), row('won', 2.5), row('lost', 4)])
    const grouped = await ask(
      `/project?bid_id=eq.${bid}&select=stage,contract_value.sum(),floors.avg(),count()&order=stage`,
    )
    expect(grouped.text).toContain('3.75')
    expect(grouped.json.map(({ stage, count }: { stage: string; count: number }) => [stage, count])).toEqual([
      ['lost', 1],
      ['won', 2],
    ])
    const cast = await ask(`/project?bid_id=eq.${bid}&select=floors::text,contract_value::text&limit=1`)
    expect(cast.json).toEqual([{ floors: '3', contract_value: '1.25' }])
  })

  test('are embedded from both sides, and spread', async () => {
    const bid = (await world.acme.post('/bid', { bid_name: 'embeds', amount: 5 })).json.id
    const made = await make({ bid_id: bid, ...sample })
    const [fromBid] = (await ask(`/bid?id=eq.${bid}&select=amount,project(*)`)).json
    expect(fromBid).toEqual({ amount: 5, project: [made] })
    const [fromProject] = (await ask(`/project?id=eq.${made.id}&select=note,bid!inner(*)&bid.amount=eq.5`)).json
    expect(fromProject).toMatchObject({ note: sample.note, bid: { id: bid, amount: 5 } })
    const [spread] = (await ask(`/project?id=eq.${made.id}&select=...bid(amount)`)).json
    expect(spread).toEqual({ amount: 5 })
    const [lists] = (await ask(`/bid?id=eq.${bid}&select=...project(note,trades)`)).json
    expect(lists).toEqual({ note: [sample.note], trades: [sample.trades] })
    const ordered = await ask(`/project?bid_id=eq.${bid}&select=id,bid(amount)&order=bid(amount)`)
    expect(ordered.json).toHaveLength(1)
  })

  test('are changed alone and with others, and the others stay', async () => {
    const { id } = await make(sample)
    const changed = await world.acme.patch(`/project?id=eq.${id}`, { note: null, floors: 1 }, returned)
    expect(changed.json[0]).toMatchObject({ ...sample, note: null, floors: 1 })
    await world.acme.patch(`/project?id=eq.${id}`, { project_name: 'Q' })
    expect((await ask(`/project?id=eq.${id}`)).json[0]).toMatchObject({
      ...sample,
      project_name: 'Q',
      note: null,
      floors: 1,
    })
    const many = await world.acme.patch(`/project?floors=eq.1&id=eq.${id}`, { stage: 'lost' }, returned)
    expect(many.json).toMatchObject([{ stage: 'lost', note: null }])
  })

  test('are merged by an upsert, and put as a whole', async () => {
    const { id, bid_id } = await make(sample)
    const fresh = Bun.randomUUIDv7()
    const merged = await world.acme.post(
      '/project',
      [
        { id, bid_id, project_name: 'R', floors: 9 },
        { id: fresh, bid_id, project_name: 'S', floors: 8 },
      ],
      { Prefer: 'resolution=merge-duplicates, return=representation' },
    )
    expect(merged.status).toBe(201)
    expect(merged.json).toMatchObject([
      { ...sample, project_name: 'R', floors: 9 },
      { ...nothingSet, floors: 8 },
    ])
    const put = await world.acme.put(
      `/project?id=eq.${id}`,
      { id, bid_id, project_name: 'T', ...nothingSet, note: 'put' },
      returned,
    )
    expect(put.json[0]).toMatchObject({ ...nothingSet, note: 'put', project_name: 'T' })
    const ignored = await world.acme.post(
      '/project',
      { id, bid_id, project_name: 'U', note: 'no' },
      {
        Prefer: 'resolution=ignore-duplicates, return=representation',
      },
    )
    expect(ignored.json).toEqual([])
  })

  test('come in bulk, with columns and defaults', async () => {
    const rows = [
      { project_name: 'x', bid_id: world.acme.bid, note: 'one', extra: 1 },
      { project_name: 'y', bid_id: world.acme.bid, floors: 3 },
    ]
    const made = await world.acme.post('/project?columns=project_name,bid_id,note,floors', rows)
    expect(made.json).toMatchObject([
      { note: 'one', floors: null },
      { note: null, floors: 3 },
    ])
    const bids = await world.acme.post(
      '/bid?columns=bid_name,amount',
      [{ bid_name: 'a' }, { bid_name: 'b', amount: 1 }],
      {
        Prefer: 'missing=default, return=representation',
      },
    )
    expect(bids.json).toMatchObject([{ amount: 7 }, { amount: 1 }])
    expect((await world.acme.post('/bid', { bid_name: 'c' })).json.amount).toBe(7)
    expect((await world.acme.post('/bid', { bid_name: 'c', amount: null })).json.amount).toBeNull()
  })

  test('go in and out as CSV, and out as lines and as one object', async () => {
    const csv = `bid_id,project_name,note,floors,trades,is_public\n${world.acme.bid},csv,"a, b",4,"{roof,wall}",t\n`
    const made = await world.acme.send('POST', '/project', { 'Content-Type': 'text/csv' }, csv)
    expect(made.json).toMatchObject([{ note: 'a, b', floors: 4, trades: ['roof', 'wall'], is_public: true }])
    const path = `/project?id=eq.${made.json[0].id}`
    const back = await ask(`${path}&select=note,floors,trades,is_public,stage`, { Accept: 'text/csv' })
    expect(back.text).toBe('note,floors,trades,is_public,stage\n"a, b",4,"{roof,wall}",t,')
    expect((await ask(path, { Accept: 'application/x-ndjson' })).json).toEqual(made.json[0])
    expect((await ask(path, { Accept: 'application/vnd.pgrst.object+json' })).json).toEqual(made.json[0])
  })

  test('are part of the version of a row, and of a request that is repeated', async () => {
    const { id } = await make(sample)
    const path = `/project?id=eq.${id}`
    const etag = (await ask(path)).headers.get('etag') ?? ''
    expect((await world.acme.patch(path, { note: 'new' }, { 'If-Match': etag })).status).toBe(204)
    expect((await world.acme.patch(path, { note: 'late' }, { 'If-Match': etag })).status).toBe(412)
    const key = { 'Idempotency-Key': Bun.randomUUIDv7() }
    const body = { bid_id: world.acme.bid, project_name: 'once', note: 'once' }
    const [first, second] = [await world.acme.post('/project', body, key), await world.acme.post('/project', body, key)]
    expect(second.text).toBe(first.text)
    expect(first.json.note).toBe('once')
  })

  test('are read and written in long lists', async () => {
    const bid = (await world.acme.post('/bid', { bid_name: 'long' })).json.id
    const rows = Array.from({ length: 1500 }, (_, at) => ({
      bid_id: bid,
      project_name: `${at}`,
      ...sample,
      floors: at % 100,
    }))
    expect((await world.acme.post('/project', rows, { Prefer: 'return=minimal' })).status).toBe(201)
    const all = await ask(`/project?bid_id=eq.${bid}`)
    expect(all.json).toHaveLength(1500)
    expect(all.json[1499]).toMatchObject({ ...sample, floors: 99 })
    const byFloors = await ask(`/project?bid_id=eq.${bid}&order=floors.desc&select=floors`)
    expect(byFloors.json).toHaveLength(1500)
    const changed = await world.acme.patch(
      `/project?bid_id=eq.${bid}`,
      { note: 'all' },
      { Prefer: 'return=representation' },
    )
    expect(changed.json).toHaveLength(1500)
    expect(changed.json[0].note).toBe('all')
    expect((await world.acme.delete(`/project?bid_id=eq.${bid}&note=eq.all`, { Prefer: 'count=exact' })).status).toBe(
      204,
    )
  })

  test('are those of the company alone', async () => {
    const row = { bid_id: world.rival.bid, project_name: 'P' }
    const made = (await world.rival.post('/project', { ...row, note: 5 })).json
    expect(Object.keys(made)).toEqual(['id', 'bid_id', 'project_name', 'created_at', 'updated_at', 'note'])
    expect(made.note).toBe(5)
    for (const { status, text } of [
      await world.rival.get('/project?floor=eq.1'),
      await world.rival.get('/project?floors=eq.1'),
      await world.rival.post('/project', { ...row, floors: 1 }),
      await world.rival.get('/project?select=id,stage'),
    ]) {
      expect(status).toBe(400)
      expect(text.replace(/"message":"[^"]*"/, '')).not.toMatch(/floors|stage|contract_value/)
    }
  })
})
