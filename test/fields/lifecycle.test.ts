import { beforeAll, expect, test } from 'bun:test'
import { archiveField, reorderFields, restoreField } from '../../src/fields/change-field.ts'
import { deleteFields } from '../../src/fields/delete-fields.ts'
import { createField, listFields } from '../../src/fields/fields.ts'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { settleNow } from '../support/settle-now.ts'

const days = (count: number): Date => new Date(Date.now() + count * 86_400_000)

onEachEngine('the fields of rows', (world) => {
  const ids: Record<string, string> = {}
  const ref = (name: string) => ({ companyId: world.acme.id, id: ids[name] ?? '' })
  const rows = async (query = '') => (await world.acme.get(`/project?order=project_name${query}`)).json
  const add = async (name: string, type = 'text') => {
    ids[name] = (await createField(world.db, world.acme.id, { resource: 'project', name, type })).id
  }
  const nameOf = ({ project_name }: { project_name: string }): string => project_name
  /** How many rows have been written for another version than the newest. */
  const behind = async (): Promise<number> => {
    const own = world.db.forCompany(world.acme.id)
    const [[count] = []] = await own.read(
      sql`select count(*) from ${companyRows('project', own)} and fields_version <> (select version from ${companyRows('field_set', own)} and resource = 'project')`,
    )
    return Number(count)
  }
  /** What is done to the fields shows at once, and the same once the rows are rewritten. */
  const both = async (check: () => Promise<void>) => {
    expect(await behind()).toBeGreaterThan(0)
    await check()
    const before = await rows()
    await settleNow(world.db)
    expect(await behind()).toBe(0)
    expect(await rows()).toEqual(before)
    await check()
  }

  beforeAll(async () => {
    await add('a')
    await add('b', 'integer')
    const row = (project_name: string, a: string | null, b: number | null) => ({
      bid_id: world.acme.bid,
      project_name,
      a,
      b,
    })
    await world.acme.post('/project', [row('one', 'x', 1), row('two', 'y', null), row('three', null, 3)])
  })

  test('show a new one as null', async () => {
    await add('c', 'boolean')
    await both(async () => {
      expect((await rows('&project_name=eq.one'))[0]).toMatchObject({ a: 'x', b: 1, c: null })
      expect(await rows('&c=is.null')).toHaveLength(4)
    })
  })

  test('have another order', async () => {
    await reorderFields(world.db, {
      companyId: world.acme.id,
      resource: 'project',
      ids: [ids.c ?? '', ids.b ?? '', ids.a ?? ''],
    })
    await both(async () => {
      const [row] = await rows('&project_name=eq.one')
      expect(Object.keys(row).slice(5)).toEqual(['c', 'b', 'a'])
      expect(row).toMatchObject({ a: 'x', b: 1, c: null })
    })
  })

  test('hide one that is archived, whatever is written meanwhile', async () => {
    await archiveField(world.db, ref('a'))
    await world.acme.patch('/project?project_name=eq.one', { b: 10 })
    await both(async () => {
      expect(Object.keys((await rows())[0]).slice(5)).toEqual(['c', 'b'])
      expect((await world.acme.get('/project?a=eq.x')).json.code).toBe('42703')
      expect((await world.acme.patch('/project?b=eq.1', { a: 'z' })).json.code).toBe('PGRST204')
      expect((await rows('&b=eq.10'))[0]).toMatchObject({ project_name: 'one', b: 10 })
    })
  })

  test('show its values again once it is restored', async () => {
    await world.acme.patch('/project?project_name=eq.two', { b: 20 })
    await restoreField(world.db, ref('a'))
    await both(async () => {
      expect((await rows('&a=eq.x'))[0]).toMatchObject({ project_name: 'one', a: 'x', b: 10 })
      expect((await rows('&a=eq.y'))[0]).toMatchObject({ project_name: 'two', a: 'y', b: 20 })
      expect(await rows('&a=not.is.null')).toHaveLength(2)
    })
  })

  test('compare the values of a restored one by its type', async () => {
    await archiveField(world.db, ref('b'))
    await restoreField(world.db, ref('b'))
    await both(async () => {
      expect((await rows('&b=eq.3')).map(nameOf)).toEqual(['three'])
      expect((await rows('&b=gte.3')).map(nameOf)).toEqual(['one', 'three', 'two'])
      expect((await rows('&b=lt.10')).map(nameOf)).toEqual(['three'])
      expect((await rows('&b=in.(10,20)')).map(nameOf)).toEqual(['one', 'two'])
    })
  })

  test('keep their times', async () => {
    const before = (await rows('&select=id,updated_at')).toSorted()
    await add('d')
    await settleNow(world.db)
    expect((await rows('&select=id,updated_at')).toSorted()).toEqual(before)
  })

  test('lose one 30 days after it was archived, and then its name is free', async () => {
    await archiveField(world.db, ref('a'))
    await deleteFields(world.db, days(29))
    await restoreField(world.db, ref('a'))
    await deleteFields(world.db, days(31))
    expect((await rows('&a=eq.x'))[0]).toMatchObject({ project_name: 'one' })
    await archiveField(world.db, ref('a'))
    await deleteFields(world.db, days(31))
    expect((await listFields(world.db, world.acme.id)).map(({ name }) => name)).not.toContain('a')
    // The values are still in the rows.
    await expect(add('a', 'integer')).rejects.toThrow('already')
    await world.acme.patch('/project?project_name=eq.one', { b: 11 })
    await settleNow(world.db)
    await add('a', 'integer')
    await both(async () => {
      expect((await rows()).map(({ a }: { a: unknown }) => a)).toEqual([null, null, null, null])
    })
  })

  test('of another company stay as they are', async () => {
    const own = world.db.forCompany(world.rival.id)
    const found = await own.read(sql`select fields, fields_version from ${companyRows('project', own)}`)
    expect(found.map(([fields, version]) => [fields, Number(version)])).toEqual([[null, 0]])
  })
})
