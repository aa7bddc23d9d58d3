import { beforeEach, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import {
  absent,
  answer,
  bidId,
  connect,
  connectTyped,
  expectRivalUntouched,
  moment,
  named,
  ok,
  projectId,
  projects,
  refused,
  seed,
} from './support.ts'

onEachEngine('client: delete', (world) => {
  beforeEach(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const project = () => from('project')
  const left = async (...numbers: number[]) => {
    expect(await answer(project().select('project_name'))).toEqual(ok(named(...numbers)))
  }

  test('removes a row and returns nothing', async () => {
    expect(await answer(project().delete().eq('id', projectId(1)))).toEqual(ok(null, 204))
    await left(2, 3, 4, 5, 6, 7, 8)
  })

  test('removes a row and returns it', async () => {
    const query = project().delete().eq('id', projectId(3)).select()
    expect(await answer(query)).toEqual(ok([{ ...projects[2], created_at: moment, updated_at: moment }]))
  })

  test('removes several rows and returns them in the order of their ids', async () => {
    expect(await answer(project().delete().eq('bid_id', bidId(1)).select('project_name'))).toEqual(
      ok(named(1, 2, 3, 8)),
    )
    await left(4, 5, 6, 7)
  })

  test('returns removed rows in the order that is asked for', async () => {
    const query = project().delete().eq('bid_id', bidId(2)).select('project_name').order('project_name')
    expect(await answer(query)).toEqual(ok(named(4, 5, 7, 6)))
  })

  test('removes a row and returns a single object with what was embedded', async () => {
    const query = project().delete().eq('id', projectId(1)).select('project_name, bid(bid_name)').single()
    expect(await answer(query)).toEqual(ok({ project_name: 'Alpha bridge', bid: { bid_name: 'Harbour' } }))
  })

  test('counts removed rows', async () => {
    expect(await answer(project().delete({ count: 'exact' }).ilike('project_name', 'alpha%'))).toEqual(ok(null, 204, 2))
  })

  test('counts removed rows and returns them', async () => {
    const query = project()
      .delete({ count: 'exact' })
      .in('id', [projectId(8), projectId(1)])
      .select('project_name')
    expect(await answer(query)).toEqual(ok(named(1, 8), 200, 2))
  })

  test('removes nothing where nothing matches', async () => {
    expect(await answer(project().delete().eq('id', absent))).toEqual(ok(null, 204))
    expect(await answer(project().delete({ count: 'exact' }).eq('id', absent).select())).toEqual(ok([], 200, 0))
    await left(1, 2, 3, 4, 5, 6, 7, 8)
  })

  test('removes a bid that has no projects', async () => {
    expect(await answer(from('bid').delete().eq('id', bidId(3)).select('bid_name'))).toEqual(
      ok([{ bid_name: 'Ünïcode tender' }]),
    )
  })

  test('refuses to remove a bid that has projects', async () => {
    const message =
      'update or delete on table "bid" violates foreign key constraint "project_bid_id_fkey" on table "project"'
    expect(await answer(from('bid').delete().eq('id', bidId(1)))).toEqual(refused(409, '23503', message))
    expect((await from('bid').select('*', { count: 'exact', head: true })).count).toBe(3)
  })

  test('refuses to remove all rows', async () => {
    expect(await answer(project().delete())).toEqual(refused(400, '21000', 'DELETE requires a WHERE clause'))
    expect(await answer(project().delete().limit(1).select())).toEqual(
      refused(400, '21000', 'DELETE requires a WHERE clause'),
    )
    await left(1, 2, 3, 4, 5, 6, 7, 8)
  })

  test('refuses many rows as a single object, and removes nothing', async () => {
    const query = project().delete().eq('bid_id', bidId(1)).select().single()
    expect(await answer(query)).toEqual(
      refused(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
        details: 'The result contains 4 rows',
      }),
    )
    await left(1, 2, 3, 4, 5, 6, 7, 8)
  })

  test('refuses a value that is no id', async () => {
    const message = 'invalid input syntax for type uuid: "x"'
    expect(await answer(project().delete().eq('id', 'x'))).toEqual(refused(400, '22P02', message))
  })

  test('removes as many rows as may be affected', async () => {
    const query = connectTyped(world).from('project').delete().eq('bid_id', bidId(1)).maxAffected(4)
    expect(await answer(query)).toEqual(ok(null, 204))
    await left(4, 5, 6, 7)
  })

  test('refuses to remove more rows than may be affected', async () => {
    const query = connectTyped(world).from('project').delete().eq('bid_id', bidId(1)).maxAffected(1).select()
    const message = 'Query result exceeds max-affected preference constraint'
    expect(await answer(query)).toEqual(refused(400, 'PGRST124', message, { details: 'The query affects 4 rows' }))
    await left(1, 2, 3, 4, 5, 6, 7, 8)
  })

  test('may not affect any row', async () => {
    const query = connectTyped(world).from('project').delete().eq('id', projectId(1)).maxAffected(0)
    expect((await query).error?.code).toBe('PGRST124')
    expect(await answer(connectTyped(world).from('project').delete().eq('id', absent).maxAffected(0))).toEqual(
      ok(null, 204),
    )
  })

  test('shows what it would remove, and removes nothing, with rollback()', async () => {
    const query = project().delete({ count: 'exact' }).eq('id', projectId(1)).select('project_name').rollback()
    expect(await answer(query)).toEqual(ok(named(1), 200, 1))
    await left(1, 2, 3, 4, 5, 6, 7, 8)
  })

  test('removes nothing of the other company', async () => {
    expect(await answer(project().delete().eq('project_name', 'Rival secret').select())).toEqual(ok([]))
    expect(await answer(project().delete().eq('id', '00000000-0000-7000-8000-0000000000c1').select())).toEqual(ok([]))
    await project().delete().not('id', 'is', null).throwOnError()
    await from('bid').delete().not('id', 'is', null).throwOnError()
    await expectRivalUntouched(world)
  })
})
