import { expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('create', (world) => {
  test('returns the project with what the server filled in', async () => {
    const { status, headers, json } = await world.acme.post('/project', {
      bid_id: world.acme.bid,
      project_name: 'Bridge',
    })
    expect(status).toBe(201)
    expect(json).toMatchObject({ project_name: 'Bridge', bid_id: world.acme.bid })
    expect(headers.get('Location')).toBe(`/rest/v1/project?id=eq.${json.id}`)
    expect((await world.acme.get(`/project?id=eq.${json.id}`)).json).toEqual([json])
  })

  // A foreign bid must look absent, not forbidden: its id alone must tell nothing.
  test('cannot use a bid of another company', async () => {
    const { status, json } = await world.acme.post('/project', { bid_id: world.rival.bid, project_name: 'Dam' })
    expect([status, json.code]).toEqual([409, '23503'])
  })

  test('takes a list, all or nothing', async () => {
    const rows = ['One', 'Two', 'Three'].map((project_name) => ({ bid_id: world.acme.bid, project_name }))
    const good = await world.acme.post('/project', rows)
    expect(good.status).toBe(201)
    expect(good.json.map((row: { project_name: string }) => row.project_name)).toEqual(['One', 'Two', 'Three'])
    const bad = await world.acme.post('/project', [...rows, { bid_id: world.rival.bid, project_name: 'Four' }])
    expect(bad.status).toBe(409)
    expect((await world.acme.get('/project?project_name=eq.One')).json).toHaveLength(1)
  })

  // New rows are shown without being read back, so the two spellings have to be kept alike.
  test('shows new rows to the letter as a read does, whatever is written in them', async () => {
    const signs = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(at + 1)).join('')
    const names = [
      signs.slice(0, 200),
      signs.slice(200, 400),
      signs.slice(400, 600),
      '"\\u0041\\" </script>',
      '\u2028\u{1f309}\ufffd e\u0301',
    ]
    const rows = names.map((project_name) => ({ bid_id: world.acme.bid.toUpperCase(), project_name }))
    const select = `select=${encodeURIComponent('name:project_name,"a \\"key":bid_id,id,created_at,updated_at')}`
    const made = await world.acme.post(`/project?${select}`, rows)
    expect(made.status).toBe(201)
    const ids = made.json.map(({ id }: { id: string }) => id)
    expect((await world.acme.get(`/project?${select}&id=in.(${ids})&order=id`)).text).toBe(made.text)
    expect(made.json.map(({ name }: { name: string }) => name)).toEqual(names)
    expect((await world.rival.get(`/project?id=in.(${ids})`)).json).toEqual([])
  })
})
