import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { engines } from '../support/engines.ts'
import { recording } from '../support/recording.ts'
import { settleNow } from '../support/settle-now.ts'
import { World } from '../support/world.ts'

for (const engine of engines)
  describe(`a write by an indexed field (${engine.name})`, () => {
    const sent: string[] = []
    const world = new World({}, (db) => recording(db, ({ text }) => sent.push(text)))
    beforeAll(async () => {
      await world.open(engine)
      for (const { id } of [world.acme, world.rival])
        for (const [name, type, indexed] of [
          ['code', 'integer', true],
          ['note', 'text', false],
        ] as const)
          await createField(world.db, id, { resource: 'project', name, type, indexed })
      await settleNow(world.db)
    }, 300_000)
    afterAll(() => world.close())

    /** More than are looked at together, of two values in turn. */
    const count = 1100
    beforeEach(async () => {
      for (const company of [world.acme, world.rival]) {
        await company.delete('/project?id=not.is.null')
        const row = { bid_id: company.bid }
        const rows = Array.from({ length: count }, (_, at) => ({ ...row, project_name: `P ${at}`, code: at % 2 }))
        expect((await company.post('/project', rows, { Prefer: 'return=minimal' })).status).toBe(201)
      }
      sent.length = 0
    })

    const counts = async (company = world.acme): Promise<unknown> =>
      (await company.get('/project?select=code,note,count()&order=code,note')).json
    const byIndex = () => sent.filter((text) => text.includes('in (select row_id from '))
    const untouched = [0, 1].map((code) => ({ code, note: null, count: count / 2 }))

    test('changes all rows that have the value, and no others', async () => {
      const { status, headers } = await world.acme.patch(
        '/project?code=eq.1',
        { note: 'x' },
        { Prefer: 'return=minimal, count=exact' },
      )
      expect([status, headers.get('content-range')]).toEqual([204, `0-${count / 2 - 1}/${count / 2}`])
      expect(await counts()).toEqual([untouched[0], { code: 1, note: 'x', count: count / 2 }])
      expect(await counts(world.rival)).toEqual(untouched)
      expect(byIndex()).not.toEqual([])
    })

    test('of a row whose id changes leaves it where its values are', async () => {
      const [{ id }] = (await world.acme.get('/project?code=eq.1&limit=1')).json
      const other = crypto.randomUUID()
      expect((await world.acme.patch(`/project?id=eq.${id}`, { id: other })).status).toBe(204)
      expect((await world.acme.get(`/project?code=eq.1&id=eq.${other}&select=id`)).json).toEqual([{ id: other }])
      expect((await world.acme.get('/project?code=eq.1&select=count()')).json).toEqual([{ count: count / 2 }])
      const ordered = (await world.acme.get(`/project?order=code&select=id`)).json
      expect(ordered).toHaveLength(count)
      expect((await world.acme.delete(`/project?id=eq.${other}`)).status).toBe(204)
      expect((await world.acme.get('/project?code=eq.1&select=count()')).json).toEqual([{ count: count / 2 - 1 }])
      expect(await counts(world.rival)).toEqual(untouched)
    })

    test('cannot give several rows one id', async () => {
      const id = crypto.randomUUID()
      for (const more of [{}, { code: 5 }]) {
        const { status, json } = await world.acme.patch('/project?code=eq.1', { id, ...more })
        expect([status, json.code]).toEqual([409, '23505'])
      }
      expect(await counts()).toEqual(untouched)
    })

    test('may change the value itself', async () => {
      const { json } = await world.acme.patch('/project?code=gte.1&select=code', { code: 2 }, representation)
      expect(json).toEqual(Array.from({ length: count / 2 }, () => ({ code: 2 })))
      expect(await counts()).toEqual([untouched[0], { code: 2, note: null, count: count / 2 }])
      expect((await world.acme.get('/project?code=eq.1')).json).toEqual([])
      expect(byIndex()).not.toEqual([])
    })

    test('deletes them', async () => {
      expect((await world.acme.delete('/project?code=in.(1,7)&select=id', representation)).json).toHaveLength(count / 2)
      expect(await counts()).toEqual([untouched[0]])
      expect(await counts(world.rival)).toEqual(untouched)
      expect(byIndex()).not.toEqual([])
    })

    test('looks at all other conditions', async () => {
      await world.acme.patch('/project?code=eq.1&project_name=in.(P 0,P 1,P 3)', { code: null })
      expect((await world.acme.get('/project?code=is.null&select=project_name&order=project_name')).json).toEqual([
        { project_name: 'P 1' },
        { project_name: 'P 3' },
      ])
    })

    test('compares versions', async () => {
      const path = '/project?code=eq.1&limit=1&select=id,code'
      const [row] = (await world.acme.get(path)).json
      const one = `/project?code=eq.1&id=gte.${row.id}&id=lte.${row.id}`
      const etag = (await world.acme.get(one)).headers.get('etag') ?? ''
      expect((await world.acme.patch(one, { code: 5 }, { 'If-Match': '"other"' })).status).toBe(412)
      expect((await world.acme.patch(one, { code: 5 }, { 'If-Match': etag })).status).toBe(204)
      expect((await world.acme.get('/project?code=eq.5&select=id')).json).toEqual([{ id: row.id }])
      expect(byIndex()).not.toEqual([])
    })

    test('is undone where it is a trial', async () => {
      const { json } = await world.acme.delete('/project?code=eq.1', { Prefer: 'tx=rollback, return=representation' })
      expect(json).toHaveLength(count / 2)
      expect(await counts()).toEqual(untouched)
    })
  })

const representation = { Prefer: 'return=representation' }
