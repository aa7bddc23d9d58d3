import { beforeAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { createField } from '../../src/fields/fields.ts'
import { project } from '../../src/resources/index.ts'
import type { CompanyStore, Rows } from '../../src/store/database.ts'
import { after } from '../../src/store/soon.ts'
import { readRows } from '../../src/transfer/read-rows.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import type { Tenant } from '../support/world.ts'
import { type Browser, behindProxy, outcome, signedIn } from './support.ts'

const columns = ['bid_id', 'project_name']
const idOf = ({ id }: { readonly id: string }): string => id

interface Checked {
  readonly bad: readonly { row: number; problems: readonly { code: string; message: string }[] }[]
}

/** `3 23514 Priority: "urgent" is none of Low, High` */
const problemsIn = ({ bad }: Checked): string[] =>
  bad.flatMap(({ row, problems }) => problems.map(({ code, message }) => `${row} ${code} ${message}`))

onEachEngine(
  'import and export',
  (world) => {
    let developer: Browser
    let viewer: Browser
    let rival: Browser
    beforeAll(async () => {
      developer = await signedIn(world, world.acme.id, 'developer')
      viewer = await signedIn(world, world.acme.id, 'viewer')
      rival = await signedIn(world, world.rival.id, 'developer')
    }, 120_000)

    const part = (text: string, more: object = {}) => ({ text, delimiter: ',', columns, first: 1, ...more })
    const send = (step: 'check' | 'write', text: string, more: object = {}, by = developer) =>
      by.post(`/import/project/${step}`, part(text, more))
    const named = async (tenant: Tenant, start: string): Promise<string[]> => {
      const { json } = await tenant.get(`/project?select=project_name&project_name=like.${start}*&order=id`)
      return json.map(({ project_name }: { project_name: string }) => project_name)
    }

    test('a preview shows the start of a file, and finds its columns', async () => {
      const { json } = await developer.post('/import/project/preview', {
        text: 'Name;Bid;Notes\nLot 1;Harbour;x\nLot 2;"Har;bour";y\n',
      })
      expect(json).toMatchObject({
        ...{ delimiter: ';', header: ['Name', 'Bid', 'Notes'], columns: ['project_name', 'bid_id', null] },
        rows: [
          ['Lot 1', 'Harbour', 'x'],
          ['Lot 2', 'Har;bour', 'y'],
        ],
      })
      expect(json.choices).toContainEqual({ name: 'bid_id', label: 'Bid', needed: true })
      expect(JSON.stringify(json.choices)).not.toContain('created_at')
    })

    test('a check names every bad row and writes nothing', async () => {
      const { bid } = world.acme
      const long = 'x'.repeat(300)
      const text = [`${bid},Check 1`, 'No such bid,Check 2', `Acme's bid,Check 3`, `${bid},`, `${bid},${long}`].join(
        '\n',
      )
      const { json } = await send('check', `${text}\n${world.rival.bid},Check 6\n${bid},Check 7,more\n`, { first: 11 })
      expect([json.rows, json.written]).toEqual([7, 0])
      expect(problemsIn(json)).toEqual([
        '12 name_unknown Bid: There is no bid named "No such bid"',
        '14 23502 Name: Every row needs a value',
        `15 23514 Name: "${'x'.repeat(63)}… is not allowed`,
        '16 23503 Bid: There is no bid with this id',
        '17 PGRST102 The row has more cells than the first line has names',
      ])
      expect(json.bad[0]).toMatchObject({
        cells: ['No such bid', 'Check 2'],
        problems: [{ hint: expect.stringContaining('id of a bid') }],
      })
      expect(await named(world.acme, 'Check')).toEqual([])
    })

    test('a part is written as a whole, by ids and by names', async () => {
      const { json } = await send('write', `${world.acme.bid},Whole 1\nAcme's bid,Whole 2\n`)
      expect(json).toEqual({ rows: 2, written: 2, bad: [] })
      expect(await named(world.acme, 'Whole')).toEqual(['Whole 1', 'Whole 2'])
    })

    test('every row that is written has its event, by the person who sent the file', async () => {
      const { acme } = world
      const text = `${acme.bid},Told 1\n${acme.bid},Told 2\n`
      expect((await send('check', text)).json.bad).toEqual([])
      expect((await send('write', text, { key: 'told' })).json.written).toBe(2)
      expect((await send('write', text, { key: 'told' })).json.written).toBe(2)
      const { json: rows } = await acme.get('/project?project_name=like.Told*&select=id')
      const events = () => acme.get(`/event?type=eq.project.created&row_id=in.(${rows.map(idOf)})`)
      await until(async () => (await events()).json.length >= 2)
      const { id } = (await developer.get('/session')).json.person
      expect((await events()).json).toMatchObject(rows.map(() => ({ actor_kind: 'person', actor_id: id })))
      const foreign = await world.rival.get(`/event?row_id=in.(${rows.map(idOf)})`)
      expect(foreign.json).toEqual([])
    })

    test('a part with a bad row is not written at all, unless that row is left out', async () => {
      const text = `${world.acme.bid},Part 1\nnowhere,Part 2\n${world.acme.bid},Part 3\n`
      const refused = await send('write', text)
      expect(refused.json).toMatchObject({ written: 0, bad: [{ row: 2, problems: [{ code: 'name_unknown' }] }] })
      expect(await named(world.acme, 'Part')).toEqual([])
      expect((await send('write', text, { skip: [2] })).json).toEqual({ rows: 2, written: 2, bad: [] })
      expect(await named(world.acme, 'Part')).toEqual(['Part 1', 'Part 3'])
    })

    test('a part that is sent again with its key is written once, also where it has ids', async () => {
      const [key, id] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
      const more = { key, columns: ['bid_id', 'project_name', 'id'] }
      for (let times = 0; times < 2; times += 1) {
        const { json } = await send('write', `${world.acme.bid},Once,${id}\n`, more)
        expect(json.written).toBe(1)
      }
      expect(await named(world.acme, 'Once')).toEqual(['Once'])
    })

    test('ids that are there already, or twice in a part, are bad', async () => {
      const id = Bun.randomUUIDv7()
      const more = { columns: ['id', 'project_name', 'bid_id'] }
      const rows = [world.acme.project, id, id].map((one) => `${one},Twin,${world.acme.bid}`)
      const { json } = await send('check', rows.join('\n'), more)
      const taken = 'Id: Another project, or another row of the file, has this id'
      expect(problemsIn(json)).toEqual([`1 23505 ${taken}`, `3 23505 ${taken}`])
      const written = await send('write', rows.slice(0, 1).join('\n'), more)
      expect(problemsIn(written.json)).toEqual([`1 23505 ${taken}`])
    })

    test('the bids of another company cannot be named, and its rows stay as they are', async () => {
      const before = await world.rival.get('/project?order=id')
      const { json } = await send('check', `Rival's bid,Foreign\n${world.rival.bid},Foreign\n`)
      expect(problemsIn(json)).toEqual([
        `1 name_unknown Bid: There is no bid named "Rival's bid"`,
        '2 23503 Bid: There is no bid with this id',
      ])
      await send('write', `${world.acme.bid},Foreign\n`)
      expect((await world.rival.get('/project?order=id')).text).toBe(before.text)
      const csv = await rival.get('/export/project')
      expect(csv.text).not.toContain(world.acme.project)
      expect(csv.text).not.toContain('Foreign')
    })

    test('the fields of a company’s own are columns, too', async () => {
      await createField(world.db, world.acme.id, {
        resource: 'project',
        name: 'floors',
        label: 'Storeys',
        type: 'integer',
      })
      const { json } = await developer.post('/import/project/preview', { text: 'Storeys,Bid,Name\n' })
      expect(json.columns).toEqual(['floors', 'bid_id', 'project_name'])
      const more = { columns: json.columns }
      const { bid } = world.acme
      const checked = await send('check', `12,${bid},Tower 1\nmany,${bid},Tower 2\n,${bid},Tower 3\n`, more)
      expect(problemsIn(checked.json)).toEqual(['2 22P02 Storeys: "many" is not a whole number'])
      expect((await send('write', `12,${bid},Tower 1\n`, more)).json.written).toBe(1)
      const { text } = await viewer.get('/export/project?select=project_name,floors&project_name=like.Tower*')
      expect(text.trim()).toBe('project_name,floors\nTower 1,12')
      expect((await rival.get('/export/project?select=floors')).status).toBe(400)
    })

    test('choices are taken by their labels, and all that is wrong with a row is told at once', async () => {
      const field = (body: object) => createField(world.db, world.acme.id, { resource: 'project', ...body })
      const choices = [
        { value: 'low', label: 'Low' },
        { value: 'high', label: 'High' },
      ]
      await field({ name: 'priority', type: 'choice', choices })
      await field({ name: 'trades', label: 'Kinds of work', type: 'choices', choices: ['steel', 'roof'] })
      await field({ name: 'stage', type: 'choice', choices: ['lead', 'won'], initial: 'lead', transitions: {} })
      await field({ name: 'due_on', label: 'Due date', type: 'date' })
      const more = { columns: ['project_name', 'bid_id', 'priority', 'trades', 'stage', 'due_on'] }
      const lines = [
        'Labels 1,{bid},HIGH,"Steel, roof",Lead,2027-03-01',
        'Labels 2,{bid},low,"{steel,roof}",,',
        'Labels 3,Nowhere,urgent,"steel,wood",won,31.02.2027',
      ].map((line) => line.replace('{bid}', world.acme.bid))
      const { json } = await send('check', lines.join('\n'), more)
      expect(problemsIn(json)).toEqual([
        '3 name_unknown Bid: There is no bid named "Nowhere"',
        '3 23514 Priority: "urgent" is none of Low, High',
        '3 23514 Kinds of work: "wood" is none of steel, roof',
        '3 transition_not_allowed Stage: A new project cannot have "won"',
        '3 22P02 Due date: "31.02.2027" is not a date',
      ])
      expect((await send('write', lines.slice(0, 2).join('\n'), more)).json.written).toBe(2)
      const query = 'project_name=like.Labels*&select=priority,trades,stage,due_on&order=id'
      expect((await world.acme.get(`/project?${query}`)).json).toEqual([
        { priority: 'high', trades: ['steel', 'roof'], stage: 'lead', due_on: '2027-03-01' },
        { priority: 'low', trades: ['steel', 'roof'], stage: 'lead', due_on: null },
      ])
      // The API stays as strict as it was.
      const refused = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'x', priority: 'High' })
      expect(refused.json.message).toContain('project_priority_check')
    })

    test('a name is looked up without reading all rows that have it', async () => {
      const bids = ['Twice', 'Twice', 'Once', ...Array.from({ length: 200 }, () => 'Often')]
      await world.acme.post(
        '/bid',
        bids.map((bid_name) => ({ bid_name })),
      )
      const texts: string[] = []
      const note = (rows: Rows): Rows => {
        texts.push(JSON.stringify(rows))
        return rows
      }
      const { db } = world
      const own = db.forRows(world.acme.id)
      const read: CompanyStore['read'] = (statement) => after(own.read(statement), note, null)
      const readLong: CompanyStore['read'] = (statement) => after(own.readLong(statement), note, null)
      const watched = { ...db, forRows: () => ({ ...own, read, readLong }) }
      const limits = { ...readConfig({}, false), rowsMax: null }
      const place = { db: watched, limits, companyId: world.acme.id, fieldsVersion: 0, actor: null, right: undefined }
      const rows = ['Often', 'Once', 'Twice', 'Never'].map((name, at) => ({ row: at + 2, cells: [name, 'Looked up'] }))
      const { good, bad } = await readRows(place, { resource: project, columns, rows })
      expect(good.map(({ source: { row } }) => row)).toEqual([3])
      expect(bad.map(({ problems }) => problems[0]?.code)).toEqual([
        ...['name_ambiguous', 'name_ambiguous', 'name_unknown'],
      ])
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.join('').length).toBeLessThan(1000)
    })

    test('what was exported is imported as it was', async () => {
      const choices = ['"', 'a', 'b\\c', 'd,e']
      await createField(world.db, world.acme.id, { resource: 'project', name: 'marks', type: 'choices', choices })
      const bid_id = world.acme.bid
      const names = ['way C:\\plans\\a', 'way "b"', 'way (c), d', ' way e ', 'way\nf', "way = '1+1'"]
      const rows = names.map((project_name, at) => ({ bid_id, project_name, marks: choices.slice(0, at % 5) }))
      await world.acme.post('/project', rows)
      const query = 'project_name=like.*way*&select=project_name,bid_id,marks&order=id'
      const { text } = await viewer.get(`/export/project?${query}`)
      const [head, ...lines] = text.split(/\n(?=.*[0-9a-f]{12})/)
      expect(head).toBe('project_name,bid_id,marks')
      await world.acme.delete('/project?project_name=like.*way*')
      const written = await send('write', lines.join('\n'), { columns: ['project_name', 'bid_id', 'marks'] })
      expect(written.json).toMatchObject({ written: rows.length })
      expect((await world.acme.get(`/project?${query}`)).json).toEqual(rows)
    })

    test('an export has all rows of a filter, as a file', async () => {
      const names = Array.from({ length: 2500 }, (_, at) => `Bulk ${at}, "quoted"`)
      await world.acme.seed(names)
      const reply = await viewer.get('/export/project?project_name=like.Bulk*&select=project_name,bid_id&order=id')
      expect(reply.headers.get('content-type')).toStartWith('text/csv')
      expect(reply.headers.get('content-disposition')).toBe('attachment; filename="projects.csv"')
      const lines = reply.text.trim().split('\n')
      expect(lines[0]).toBe('project_name,bid_id')
      expect(lines).toHaveLength(2501)
      expect(lines[1]).toBe(`"Bulk 0, ""quoted""",${world.acme.bid}`)
      const again = await send('check', `${lines.slice(1, 500).join('\n')}\n`, { columns: ['project_name', 'bid_id'] })
      expect(again.json).toMatchObject({ rows: 499, bad: [] })
    })

    test.each([
      { text: 1 },
      { delimiter: '|' },
      { columns: ['created_at'] },
      { columns: ['bid_id', 'bid_id'] },
      { columns: 'bid_id' },
      { columns: [{ toString: 1, valueOf: 1 }] },
      { first: 0 },
      { skip: ['x'] },
      { key: 'a b' },
    ])('a part with %j is refused', async (more) => {
      expect(outcome(await send('check', 'a,b\n', more))).toEqual([400, 'invalid_settings_body'])
    })

    test('more rows than a part may have are refused, and a viewer may write nothing', async () => {
      expect((await send('write', 'a,b\n'.repeat(501))).status).toBe(400)
      expect(outcome(await send('check', 'a,b\n', {}, viewer))).toEqual([403, 'forbidden'])
      expect((await developer.post('/import/nothing/check', part('a,b\n'))).status).toBe(404)
    })
  },
  behindProxy,
)
