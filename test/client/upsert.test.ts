import { beforeEach, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEachEngine } from '../support/engines.ts'
import {
  absent,
  answer,
  bidId,
  connect,
  expectRivalUntouched,
  moment,
  named,
  nameOf,
  ok,
  projectId,
  refused,
  seed,
  uuid,
} from './support.ts'

onEachEngine('client: upsert', (world) => {
  beforeEach(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const fresh = { id: absent, bid_id: bidId(3), project_name: 'Fresh' }
  const changed = { id: projectId(1), bid_id: bidId(2), project_name: 'Changed' }
  const times = { created_at: moment, updated_at: moment }
  const nameAt = async (id: string) => (await from('project').select('project_name').eq('id', id).maybeSingle()).data

  test('inserts a new row', async () => {
    expect(await answer(from('project').upsert(fresh).select())).toEqual(ok([{ ...fresh, ...times }], 201))
  })

  test('inserts a row without an id', async () => {
    const query = from('project')
      .upsert({ bid_id: bidId(3), project_name: 'Fresh' })
      .select('id,project_name')
      .single()
    expect(await answer(query)).toEqual(ok({ id: uuid, project_name: 'Fresh' }, 201))
  })

  test('changes a row that is there', async () => {
    expect(await answer(from('project').upsert(changed).select().single())).toEqual(ok({ ...changed, ...times }))
    expect((await from('project').select('*', { count: 'exact', head: true })).count).toBe(8)
  })

  test('keeps the time of creation and renews that of the change', async () => {
    const before = await from('project').select('created_at,updated_at').eq('id', projectId(1)).single()
    await sleep(5)
    const after = await from('project').upsert(changed).select('created_at,updated_at').single()
    expect(after.data?.created_at).toBe(before.data?.created_at)
    expect(Date.parse(after.data?.updated_at)).toBeGreaterThan(Date.parse(before.data?.updated_at))
  })

  test('returns the row without being asked', async () => {
    expect(await answer(from('project').upsert(changed))).toEqual(ok({ ...changed, ...times }))
    expect(await answer(from('project').upsert([fresh]))).toEqual(ok([{ ...fresh, ...times }], 201))
  })

  test('inserts one row and changes another', async () => {
    const query = from('project').upsert([changed, fresh]).select('project_name')
    expect(await answer(query)).toEqual(ok([{ project_name: 'Changed' }, { project_name: 'Fresh' }], 201))
  })

  test('counts new and changed rows alike', async () => {
    const query = from('project').upsert([changed, fresh], { count: 'exact' }).select('id')
    expect(await answer(query)).toEqual(ok([{ id: projectId(1) }, { id: absent }], 201, 2))
  })

  test('takes the primary key as the place of the conflict', async () => {
    const query = from('project').upsert(changed, { onConflict: 'id' }).select('project_name')
    expect(await answer(query)).toEqual(ok([{ project_name: 'Changed' }]))
  })

  test('refuses another place of the conflict', async () => {
    const message = 'there is no unique or exclusion constraint matching the ON CONFLICT specification'
    expect(await answer(from('project').upsert(changed, { onConflict: 'project_name' }).select())).toEqual(
      refused(400, '42P10', message),
    )
    expect(await nameAt(projectId(1))).toEqual({ project_name: nameOf(1) })
  })

  test('ignores a row that is there', async () => {
    const query = from('project').upsert(changed, { ignoreDuplicates: true }).select()
    expect(await answer(query)).toEqual(ok([], 201))
    expect(await nameAt(projectId(1))).toEqual({ project_name: nameOf(1) })
  })

  test('ignores a row that is there, and inserts another', async () => {
    const query = from('project').upsert([changed, fresh], { ignoreDuplicates: true, count: 'exact' }).select('id')
    expect(await answer(query)).toEqual(ok([{ id: absent }], 201, 1))
  })

  test('ignores a row that is there without being asked for rows', async () => {
    expect(await answer(from('project').upsert(changed, { ignoreDuplicates: true }))).toEqual(ok(null, 201))
    expect(await answer(from('project').upsert([changed], { ignoreDuplicates: true }))).toEqual(ok([], 201))
  })

  test('does nothing for an empty list', async () => {
    expect(await answer(from('project').upsert([]).select())).toEqual(ok([]))
  })

  test('refuses the same row twice, and changes nothing', async () => {
    const query = from('project')
      .upsert([changed, { ...changed, project_name: 'Again' }])
      .select()
    const message = 'ON CONFLICT DO UPDATE command cannot affect row a second time'
    expect(await answer(query)).toEqual(refused(400, '21000', message))
    expect(await nameAt(projectId(1))).toEqual({ project_name: nameOf(1) })
  })

  test('refuses a new row twice, and inserts nothing', async () => {
    const query = from('project').upsert([fresh, fresh]).select()
    expect(await answer(query)).toEqual(refused(400, '21000', expect.any(String)))
    expect(await nameAt(absent)).toBeNull()
  })

  test('makes ids where they lack in a list, when asked to', async () => {
    const rows = [changed, { bid_id: bidId(3), project_name: 'Fresh' }]
    const query = from('project').upsert(rows, { defaultToNull: false }).select('id,project_name')
    expect(await answer(query)).toEqual(
      ok(
        [
          { id: projectId(1), project_name: 'Changed' },
          { id: uuid, project_name: 'Fresh' },
        ],
        201,
      ),
    )
  })

  test('refuses a row that could not be inserted, though it is there', async () => {
    const message = 'null value in column "bid_id" of relation "project" violates not-null constraint'
    expect(await answer(from('project').upsert({ id: projectId(1), project_name: 'Half' }))).toEqual(
      refused(400, '23502', message),
    )
  })

  test('refuses a bid that does not exist, and changes nothing', async () => {
    const { status, error } = await from('project').upsert([fresh, { ...changed, bid_id: absent }])
    expect([status, error?.code]).toEqual([409, '23503'])
    expect(await answer(from('project').select('project_name').lte('id', projectId(1)))).toEqual(ok(named(1)))
    expect(await nameAt(absent)).toBeNull()
  })

  test('changes a bid and shows its projects', async () => {
    const query = from('bid')
      .upsert({ id: bidId(1), bid_name: 'Port' })
      .select('bid_name, project(project_name)')
      .single()
    expect(await answer(query)).toEqual(ok({ bid_name: 'Port', project: named(1, 2, 3, 8) }))
  })

  test('makes a row of its own where the other company has the id', async () => {
    const id = '00000000-0000-7000-8000-0000000000c1'
    const query = from('project')
      .upsert({ ...fresh, id })
      .select('id,project_name')
      .single()
    expect(await answer(query)).toEqual(ok({ id, project_name: 'Fresh' }, 201))
    await from('project').upsert(changed)
    await expectRivalUntouched(world)
  })
})
