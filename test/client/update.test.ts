import { beforeEach, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
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
  nameOf,
  ok,
  projectId,
  projects,
  refused,
  seed,
} from './support.ts'

onEachEngine('client: update', (world) => {
  beforeEach(() => seed(world))
  const project = () => connect(world).from('project')
  const renamed = { project_name: 'Renamed' }
  const unchanged = async () => {
    expect(await answer(project().select('id,bid_id,project_name'))).toEqual(ok(projects))
  }

  test('changes a row and returns nothing', async () => {
    expect(await answer(project().update(renamed).eq('id', projectId(1)))).toEqual(ok(null, 204))
    expect(await answer(project().select('project_name').eq('id', projectId(1)))).toEqual(ok([renamed]))
  })

  test('changes a row and returns it', async () => {
    const query = project().update(renamed).eq('id', projectId(1)).select()
    const times = { created_at: moment, updated_at: moment }
    expect(await answer(query)).toEqual(ok([{ ...projects[0], ...renamed, ...times }]))
  })

  test('changes a row and returns a single object', async () => {
    const query = project().update(renamed).eq('id', projectId(1)).select('id,project_name').single()
    expect(await answer(query)).toEqual(ok({ id: projectId(1), ...renamed }))
  })

  test('changes several rows and returns them in the order of their ids', async () => {
    const query = project()
      .update({ bid_id: bidId(3) })
      .in('id', [projectId(5), projectId(2)])
      .select('project_name')
    expect(await answer(query)).toEqual(ok(named(2, 5)))
  })

  test('returns the changed rows in the order that is asked for', async () => {
    const query = project()
      .update({ bid_id: bidId(3) })
      .lte('id', projectId(4))
      .select('project_name')
    expect(await answer(query.order('project_name', { ascending: false }))).toEqual(ok(named(3, 2, 1, 4)))
  })

  test('changes all that match, whatever the limit', async () => {
    const query = project()
      .update({ bid_id: bidId(3) })
      .eq('bid_id', bidId(1))
      .order('id')
      .limit(1)
    expect((await query).status).toBe(204)
    expect((await project().select('*', { count: 'exact', head: true }).eq('bid_id', bidId(3))).count).toBe(4)
  })

  test('counts the changed rows', async () => {
    const query = project()
      .update({ bid_id: bidId(3) }, { count: 'exact' })
      .eq('bid_id', bidId(1))
    expect(await answer(query)).toEqual(ok(null, 204, 4))
  })

  test('counts the changed rows and returns them', async () => {
    const query = project()
      .update({ bid_id: bidId(3) }, { count: 'exact' })
      .gte('id', projectId(7))
      .select('project_name')
    expect(await answer(query)).toEqual(ok(named(7, 8), 200, 2))
  })

  test('takes every filter', async () => {
    const query = project()
      .update(renamed)
      .or('project_name.ilike.*BRIDGE*,project_name.like.Gamma*')
      .neq('id', projectId(2))
    expect(await answer(query.select('id'))).toEqual(ok([{ id: projectId(1) }, { id: projectId(3) }]))
  })

  test('returns what is embedded in the changed row', async () => {
    const query = project()
      .update({ bid_id: bidId(3) })
      .eq('id', projectId(1))
      .select('bid(bid_name)')
      .single()
    expect(await answer(query)).toEqual(ok({ bid: { bid_name: 'Ünïcode tender' } }))
  })

  test('renews the time of the change', async () => {
    const before = await project().select('created_at,updated_at').eq('id', projectId(1)).single()
    await sleep(5)
    const after = await project().update(renamed).eq('id', projectId(1)).select('created_at,updated_at').single()
    expect(after.data?.created_at).toBe(before.data?.created_at)
    expect(Date.parse(after.data?.updated_at)).toBeGreaterThan(Date.parse(before.data?.updated_at))
  })

  test('does nothing where nothing matches', async () => {
    expect(await answer(project().update(renamed).eq('id', absent))).toEqual(ok(null, 204))
    expect(await answer(project().update(renamed, { count: 'exact' }).eq('id', absent).select())).toEqual(
      ok([], 200, 0),
    )
    expect(await answer(project().update(renamed).eq('id', absent).select().maybeSingle())).toEqual(ok(null))
    await unchanged()
  })

  test('does nothing for an empty object', async () => {
    expect(await answer(project().update({}).eq('id', projectId(1)))).toEqual(ok(null, 204))
    expect(await answer(project().update({}).eq('id', projectId(1)).select())).toEqual(ok([]))
    await unchanged()
  })

  const notSingle = 'Cannot coerce the result to a single JSON object'

  test('refuses none or many as a single object, and changes nothing', async () => {
    expect(await answer(project().update(renamed).eq('id', absent).select().single())).toEqual(
      refused(406, 'PGRST116', notSingle, { details: 'The result contains 0 rows' }),
    )
    expect(await answer(project().update(renamed).eq('bid_id', bidId(1)).select().single())).toEqual(
      refused(406, 'PGRST116', notSingle, { details: 'The result contains 4 rows' }),
    )
    await unchanged()
  })

  test('refuses to change all rows', async () => {
    expect(await answer(project().update(renamed))).toEqual(refused(400, '21000', 'UPDATE requires a WHERE clause'))
    expect(await answer(project().update(renamed).order('id').limit(1).select())).toEqual(
      refused(400, '21000', 'UPDATE requires a WHERE clause'),
    )
    await unchanged()
  })

  const refusals: Record<string, [object, number, string]> = {
    'a bid that does not exist': [{ bid_id: absent }, 409, '23503'],
    'a bid that is no id': [{ bid_id: 'x' }, 400, '22P02'],
    'null for a name': [{ project_name: null }, 400, '23502'],
    'a blank name': [{ project_name: ' ' }, 400, '23514'],
    'an unknown field': [{ color: 'red' }, 400, 'PGRST204'],
    'a time': [{ updated_at: '2020-01-01T00:00:00Z' }, 400, '428C9'],
    'an id that another row has': [{ id: projectId(2) }, 409, '23505'],
  }

  for (const [sentence, [row, status, code]] of Object.entries(refusals)) {
    test(`refuses ${sentence}, and changes nothing`, async () => {
      expect(await answer(project().update(row).eq('id', projectId(1)))).toEqual(
        refused(status, code, expect.any(String)),
      )
      await unchanged()
    })
  }

  test('refuses a filter by an unknown column', async () => {
    const message = 'column project.nope does not exist'
    expect(await answer(project().update(renamed).eq('nope', 1))).toEqual(refused(400, '42703', message))
  })

  test('changes as many rows as may be affected', async () => {
    const query = connectTyped(world).from('project').update(renamed).eq('bid_id', bidId(1)).maxAffected(4)
    expect(await answer(query.select('id'))).toEqual(ok([1, 2, 3, 8].map((number) => ({ id: projectId(number) }))))
  })

  test('refuses to change more rows than may be affected', async () => {
    const query = connectTyped(world).from('project').update(renamed).eq('bid_id', bidId(1)).maxAffected(3)
    const message = 'Query result exceeds max-affected preference constraint'
    expect(await answer(query)).toEqual(refused(400, 'PGRST124', message, { details: 'The query affects 4 rows' }))
    await unchanged()
  })

  test('changes nothing of the other company', async () => {
    await project().update(renamed).not('id', 'is', null).throwOnError()
    expect(await answer(project().update(renamed).eq('project_name', 'Rival secret').select())).toEqual(ok([]))
    await expectRivalUntouched(world)
  })

  test('cannot move a project to a bid of the other company', async () => {
    const foreign = { id: '00000000-0000-7000-8000-0000000000d1', bid_name: 'Rival only' }
    await connect(world, world.rival).from('bid').insert(foreign).throwOnError()
    const moved = (bid_id: string) => answer(project().update({ bid_id }).eq('id', projectId(1)))
    expect(await moved(foreign.id)).toEqual(await moved(absent))
    expect((await project().select('project_name').eq('bid_id', bidId(1)).limit(1)).data).toEqual([
      { project_name: nameOf(1) },
    ])
  })
})
