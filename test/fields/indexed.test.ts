import { expect, test } from 'bun:test'
import { updateField } from '../../src/fields/change-field.ts'
import { createField, findField } from '../../src/fields/fields.ts'
import { latestResources } from '../../src/fields/own-resources.ts'
import { firstCompany, settleFields } from '../../src/fields/settle-fields.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { ReadPlan } from '../../src/plan/plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import { compilePart, compileRows } from '../../src/store/compile/compile.ts'
import { preparePage } from '../../src/store/compile/prepare.ts'
import type { Database } from '../../src/store/database.ts'
import { readRows } from '../../src/store/read-parts.ts'
import { fill, render, sql } from '../../src/store/sql.ts'
import { doubleKey, halvesKey, integerKey } from '../../src/types/index-key.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import { settleNow } from '../support/settle-now.ts'

test('numbers are spelled so that they sort as texts', () => {
  const sorted = (values: readonly string[], key: (text: string) => string) =>
    values.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  const integers = ['-9007199254740991', '-100', '-99', '-1', '0', '1', '9', '10', '99', '9007199254740991']
  expect(sorted(integers.toReversed(), integerKey)).toEqual(integers)
  const halves = ['-2', '-1.5', '-1', '-0.5', '0', '0.5', '1', '1.5', '10']
  expect(sorted(halves.toReversed(), halvesKey)).toEqual(halves)
  const doubles = ['-1e+300', '-2.5', '-1e-07', '0', '1e-07', '0.1', '2.5', '1e+300']
  expect(sorted(doubles.toReversed(), doubleKey)).toEqual(doubles)
})

const report = (error: unknown) => {
  throw error
}

onEachEngine('an indexed field', (world) => {
  const entries = async (fieldId: string) => {
    const own = world.db.forCompany(world.acme.id)
    return (
      await own.read(sql`select value from ${companyRows('field_value', own)} and field_id = ${fieldId} order by value`)
    ).flat()
  }
  const planOf = async (query: string, of = 'project'): Promise<ReadPlan> => {
    const resource = (await latestResources(world.db, world.acme.id)).find(({ name }) => name === of)
    if (!resource) throw new Error(`There is no ${of}`)
    const request = parseRequest('GET', query, new Headers())
    const payload = { text: '', single: false, rows: [] }
    const plan = makePlan({ request, payload, resource, companyId: world.acme.id, actor: null, rowsMax: null })
    if (plan.kind !== 'read') throw new Error('It is no read')
    return plan
  }
  const statementOf = async (query: string, of?: string): Promise<string> => {
    const { statement } = preparePage(
      await planOf(query, of),
      { limit: 20, offset: 0 },
      world.db.forCompany(world.acme.id),
    )
    return render(statement, world.db.dialect.placeholder)
  }

  // Rows that together may be large are not read as a page.
  test('is used by long lists, too', async () => {
    const { acme, db } = world
    const field = { resource: 'project', name: 'lot', type: 'integer', indexed: true }
    await createField(db, acme.id, field)
    const rows = Array.from({ length: 9 }, (_, at) => ({ bid_id: acme.bid, project_name: `${at}`, lot: at % 2 }))
    await acme.post('/project', rows)
    await settleNow(db)
    const plan = await planOf('lot=eq.1&select=project_name')
    const own = db.forCompany(acme.id)
    const read = (behind: readonly string[] | null) => readRows(own, plan, { behind, bytesMax: 100_000 })
    const { rows: all } = await read(null)
    expect(all.map(([text]) => JSON.parse(String(text)).project_name)).toEqual(['1', '3', '5', '7'])
    const { rows: rest } = await read([String(all[1]?.[1])])
    expect(rest.map(([text]) => text)).toEqual(all.slice(2).map(([text]) => text))
    for (const piece of [compileRows(plan, db.dialect, null), compilePart(plan, db.dialect, null)])
      expect(render(fill(piece, plan.values), db.dialect.placeholder)).toContain('field_value')
    await acme.delete('/project?lot=not.is.null')
  })

  test('is used once all rows are in its index, and kept by every write', async () => {
    const { acme, db } = world
    const row = (project_name: string, code: number | null) => ({ bid_id: acme.bid, project_name, code })
    const { id } = await createField(db, acme.id, { resource: 'project', name: 'code', type: 'integer' })
    await acme.post('/project', [row('a', 5), row('b', -2), row('c', null)])
    await updateField(db, { companyId: acme.id, id }, { indexed: true })
    await acme.post('/project', row('d', 7))
    expect(await entries(id)).toEqual(['p017'])
    expect(await statementOf('code=eq.5')).not.toContain('field_value')
    await settleNow(db)
    expect((await findField(db, { companyId: acme.id, id })).indexed_at).not.toBeNull()
    expect((await entries(id)).toSorted()).toEqual(['n987', null, null, 'p015', 'p017'])
    for (const query of ['code=eq.5', 'code=in.(5,7)', 'code=is.null', 'order=code', 'code=gt.1&order=code.desc'])
      expect(await statementOf(query)).toContain('field_value')
    const names = async (query: string) =>
      (await acme.get(`/project?select=project_name&${query}`)).json.map(
        (one: { project_name: string }) => one.project_name,
      )
    expect(await names('code=eq.5')).toEqual(['a'])
    expect(await names('code=gt.-3&order=code.desc')).toEqual(['d', 'a', 'b'])
    expect(await names('order=code.nullslast&limit=3')).toEqual(['b', 'a', 'd'])
    await acme.patch('/project?code=eq.5', { code: 6 })
    expect([await names('code=eq.5'), await names('code=eq.6')]).toEqual([[], ['a']])
    await acme.delete('/project?code=eq.6')
    expect((await entries(id)).toSorted()).toEqual(['n987', null, null, 'p017'])
    const key = Bun.randomUUIDv7()
    const merge = { Prefer: 'resolution=merge-duplicates' }
    for (const code of [1, 2]) await acme.post('/project', { id: key, ...row('e', code) }, merge)
    await acme.post('/project', { id: key, ...row('e', 3) }, { Prefer: 'resolution=ignore-duplicates' })
    expect([await names('code=eq.2'), await names('code=in.(1,3)')]).toEqual([['e'], []])
    expect(
      (await acme.get('/project?code=gte.2&limit=1', { Prefer: 'count=exact' })).headers.get('content-range'),
    ).toBe('0-0/2')
  })

  test('has what was written of two rows with one id, and so have the events', async () => {
    const { acme, rival, db } = world
    await createField(db, acme.id, { resource: 'bid', name: 'grade', type: 'text', indexed: true })
    await settleNow(db)
    const id = Bun.randomUUIDv7()
    const twins = ['first', 'second'].map((grade) => ({ id, bid_name: 'Twin', grade }))
    const { status, json } = await acme.post('/bid?select=grade', twins, {
      Prefer: 'resolution=ignore-duplicates, return=representation',
    })
    expect([status, json]).toEqual([201, [{ grade: 'first' }]])
    expect((await acme.get('/bid?grade=eq.first&select=id')).json).toEqual([{ id }])
    expect((await acme.get('/bid?grade=eq.second')).json).toEqual([])
    await until(async () => (await acme.get(`/event?row_id=eq.${id}`)).json.length > 0)
    const { json: events } = await acme.get(`/event?row_id=eq.${id}&select=type,row`)
    expect(events).toMatchObject([{ type: 'bid.created', row: { grade: 'first' } }])
    expect((await rival.get(`/event?row_id=eq.${id}`)).json).toEqual([])
  })

  test('finds rows of its company alone', async () => {
    const field = { resource: 'bid', name: 'code', type: 'text', indexed: true }
    for (const tenant of [world.acme, world.rival]) {
      await createField(world.db, tenant.id, field)
      await tenant.post('/bid', { bid_name: 'B', code: 'same' })
    }
    await settleNow(world.db)
    for (const tenant of [world.acme, world.rival]) expect((await tenant.get('/bid?code=eq.same')).json).toHaveLength(1)
  })

  test('has no value that is too long for an index', async () => {
    const { acme, db } = world
    const field = { resource: 'project', name: 'story', type: 'text', rules: { max_length: 4000 } }
    const ref = { companyId: acme.id, id: (await createField(db, acme.id, field)).id }
    const long = { bid_id: acme.bid, project_name: 'long', story: '橋'.repeat(501) }
    const { json } = await acme.post('/project', long)
    const change = { indexed: true, rules: { max_length: 500 } }
    await expect(updateField(db, ref, change)).rejects.toThrow('more than 500 characters')
    await acme.patch(`/project?id=eq.${json.id}`, { story: 'short' })
    expect(await updateField(db, ref, change)).toMatchObject({ indexed: true, indexed_at: null })
    await settleNow(db)
    expect(await entries(ref.id)).toContain('short')
  })

  test('of a company whose fields cannot be settled does not keep others waiting', async () => {
    const { acme, rival, db } = world
    const field = { resource: 'bid', name: 'place', type: 'text', indexed: true }
    const [broken, good] = [await createField(db, acme.id, field), await createField(db, rival.id, field)]
    const failing: Database = {
      ...db,
      forCompany: (id) => {
        const own = db.forCompany(id)
        return id === acme.id ? { ...own, transactInSteps: () => Promise.reject(new Error('It fails')) } : own
      },
    }
    const errors: unknown[] = []
    await settleFields(failing, { pauseMs: 0, report: (error) => errors.push(error) })
    expect(errors.map(String)).toEqual(['Error: It fails'])
    expect((await findField(db, { companyId: acme.id, id: broken.id })).indexed_at).toBeNull()
    expect((await findField(db, { companyId: rival.id, id: good.id })).indexed_at).not.toBeNull()
  })

  test('that no longer is while its index is built is built anew before it is used', async () => {
    const { acme, db } = world
    const { id } = await createField(db, acme.id, { resource: 'bid', name: 'zone', type: 'text', indexed: true })
    const ref = { companyId: acme.id, id }
    await acme.post('/bid', { bid_name: 'Z', zone: 'before' })
    const interrupted: Database = {
      ...db,
      forCompany: (companyId) => {
        const own = db.forCompany(companyId)
        const transactInSteps: typeof own.transactInSteps = async (steps) => {
          await own.transactInSteps(steps)
          await updateField(db, ref, { indexed: false })
        }
        return { ...own, transactInSteps }
      },
    }
    await settleFields(interrupted, { pauseMs: 0, report })
    await acme.patch('/bid?bid_name=eq.Z', { zone: 'after' })
    expect(await updateField(db, ref, { indexed: true })).toMatchObject({ indexed: true, indexed_at: null })
    expect((await acme.get('/bid?zone=eq.after&select=bid_name')).json).toEqual([{ bid_name: 'Z' }])
    await settleNow(db)
    expect(await entries(id)).toContain('after')
  })

  test('that no longer is keeps its index until every process knows that', async () => {
    const { acme, db } = world
    const { id } = await createField(db, acme.id, { resource: 'bid', name: 'wing', type: 'text', indexed: true })
    const ref = { companyId: acme.id, id }
    await acme.post('/bid', { bid_name: 'W', wing: 'a' })
    await settleNow(db)
    await updateField(db, ref, { indexed: false })
    await acme.patch('/bid?bid_name=eq.W', { wing: 'b' })
    expect(await entries(id)).toContain('b')
    expect(await statementOf('wing=eq.b', 'bid')).not.toContain('field_value')
    await settleNow(db)
    expect(await findField(db, ref)).toMatchObject({ indexed: false, indexed_at: null })
    await acme.patch('/bid?bid_name=eq.W', { wing: 'c' })
    expect(await entries(id)).not.toContain('c')
    await updateField(db, ref, { indexed: true })
    await settleNow(db)
    expect(await entries(id)).toContain('c')
  })

  test('is settled for more companies than are looked after at a time', async () => {
    const { acme, rival, db } = world
    const [first, second] = [acme.id, rival.id].toSorted()
    const field = { resource: 'bid', name: 'late', type: 'text', indexed: true }
    const late = await createField(db, second ?? '', field)
    const settled = () => findField(db, { companyId: second ?? '', id: late.id })
    expect(await settleFields(db, { pauseMs: 0, report, behind: second ?? '' })).toBe(firstCompany)
    expect((await settled()).indexed_at).toBeNull()
    await settleFields(db, { pauseMs: 0, report, behind: first ?? '' })
    expect((await settled()).indexed_at).not.toBeNull()
  })
})
