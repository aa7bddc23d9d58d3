import { beforeAll, expect, test } from 'bun:test'
import { PostgrestError } from '@supabase/supabase-js'
import { onEachEngine } from '../support/engines.ts'
import { answer, bidId, connect, named, ok, projectId, refused, seed } from './support.ts'

onEachEngine('client: transforms', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const read = () => from('project').select('project_name')

  test('orders by name, by code point', async () => {
    expect(await answer(read().order('project_name'))).toEqual(ok(named(4, 1, 2, 5, 3, 8, 7, 6)))
  })

  test('orders downwards', async () => {
    const query = read().order('project_name', { ascending: false })
    expect(await answer(query)).toEqual(ok(named(6, 7, 8, 3, 5, 2, 1, 4)))
  })

  test('orders by one column and then by another', async () => {
    const query = read().order('bid_id', { ascending: false }).order('project_name')
    expect(await answer(query)).toEqual(ok(named(4, 5, 7, 6, 1, 2, 3, 8)))
  })

  test('takes a place for nulls where there are none', async () => {
    const query = read().order('id', { ascending: false, nullsFirst: false }).limit(2)
    expect(await answer(query)).toEqual(ok(named(8, 7)))
  })

  test('orders equal rows by their ids, so that pages neither overlap nor miss a row', async () => {
    const pages = [0, 3, 6].map((start) =>
      answer(
        read()
          .order('bid_id')
          .range(start, start + 2),
      ),
    )
    expect(await Promise.all(pages)).toEqual([ok(named(1, 2, 3)), ok(named(8, 4, 5)), ok(named(6, 7))])
  })

  test('orders by a column of what is embedded', async () => {
    const query = from('project').select('project_name, bid(bid_name)').order('bid(bid_name)', { ascending: false })
    const { data } = await query.order('project_name')
    expect(data?.map((row) => row.project_name)).toEqual(named(4, 5, 7, 6, 1, 2, 3, 8).map((row) => row.project_name))
  })

  test('limits the rows', async () => {
    expect(await answer(read().limit(3))).toEqual(ok(named(1, 2, 3)))
  })

  test('limits the rows to none', async () => {
    expect(await answer(read().limit(0))).toEqual(ok([]))
  })

  test('limits the rows to none, and counts them', async () => {
    const query = from('project').select('id', { count: 'exact' }).limit(0)
    expect(await answer(query)).toEqual(ok([], 206, 8))
  })

  test('takes the last of two limits', async () => {
    expect(await answer(read().limit(3).limit(1))).toEqual(ok(named(1)))
  })

  test('cuts a range out, both ends included', async () => {
    expect(await answer(read().range(2, 4))).toEqual(ok(named(3, 4, 5)))
  })

  test('cuts a range out that reaches past the end', async () => {
    expect(await answer(read().range(6, 99))).toEqual(ok(named(7, 8)))
  })

  test('counts all rows around a range', async () => {
    const query = from('project').select('project_name', { count: 'exact' }).order('project_name').range(1, 2)
    expect(await answer(query)).toEqual(ok(named(1, 2), 206, 8))
  })

  test('returns nothing for a range behind the end', async () => {
    expect(await answer(read().range(100, 109))).toEqual(ok([]))
  })

  test('returns nothing for a range right behind the end that is counted', async () => {
    expect(await answer(from('project').select('id', { count: 'exact' }).range(8, 9))).toEqual(ok([], 206, 8))
  })

  test('refuses a range behind the end that is counted', async () => {
    const query = from('project').select('id', { count: 'exact' }).range(100, 109)
    const details = 'An offset of 100 was requested, but there are only 8 rows.'
    expect(await answer(query)).toEqual(refused(416, 'PGRST103', 'Requested range not satisfiable', { details }))
  })

  test('refuses a range that is the wrong way round', async () => {
    const details = 'Limit should be greater than or equal to zero.'
    expect(await answer(read().range(4, 1))).toEqual(
      refused(416, 'PGRST103', 'Requested range not satisfiable', { details }),
    )
  })

  test('refuses an order by an unknown column', async () => {
    const message = 'column project.nope does not exist'
    expect(await answer(read().order('nope'))).toEqual(refused(400, '42703', message))
  })

  test('writes CSV', async () => {
    const query = from('project').select('bid_id,project_name').lte('id', projectId(3)).csv()
    const rows = ['"Alpha bridge"', '"Beta bridge, north"', '"Gamma ""quoted"" dam"'].map(
      (name) => `${bidId(1)},${name}`,
    )
    expect(await answer(query)).toEqual(ok(['bid_id,project_name', ...rows].join('\n')))
  })

  test('writes CSV with backslashes, brackets and plain words', async () => {
    const query = read()
      .in('id', [projectId(5), projectId(7), projectId(8)])
      .csv()
    expect(await answer(query)).toEqual(ok('project_name\n"Epsilon (phase 2)"\nalpha_tunnel\n"Zeta\\\\back*slash"'))
  })

  test('writes moments in CSV as PostgreSQL does', async () => {
    const { data } = await from('bid').select('created_at').limit(1).csv()
    expect(data).toMatch(/^created_at\n"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00"$/)
  })

  test('writes CSV of nothing', async () => {
    expect(await answer(read().eq('project_name', 'nothing').csv())).toEqual(ok('\n'))
  })

  test('strips nulls, of what is embedded too', async () => {
    const query = from('project')
      .select('project_name, bid(bid_name)')
      .eq('bid.bid_name', 'Harbour')
      .gt('id', projectId(6))
    expect(await answer(query.stripNulls())).toEqual(
      ok([{ project_name: 'alpha_tunnel' }, { project_name: 'Zeta\\back*slash', bid: { bid_name: 'Harbour' } }]),
    )
  })

  test('strips nulls of a single object', async () => {
    const query = from('project').select('id, bid(id)').eq('bid.id', bidId(1)).eq('id', projectId(7)).single()
    expect(await answer(query.stripNulls())).toEqual(ok({ id: projectId(7) }))
  })

  test('gives up when it is aborted beforehand', async () => {
    const stop = new AbortController()
    stop.abort()
    const { error, ...rest } = await answer(read().abortSignal(stop.signal))
    expect(rest).toEqual({ data: null, count: null, status: 0, statusText: '' })
    expect(error).toMatchObject({ code: '', hint: 'Request was aborted (timeout or manual cancellation)' })
  })

  test('gives up when it is aborted on the way, and goes on with the next request', async () => {
    const stop = new AbortController()
    const running = answer(read().abortSignal(stop.signal))
    stop.abort()
    expect(await running).toMatchObject({
      data: null,
      status: 0,
      error: { message: expect.stringMatching(/^AbortError/) },
    })
    expect(await answer(read().limit(1))).toEqual(ok(named(1)))
  })

  test('throws what was refused, when asked to', async () => {
    const thrown = await read()
      .order('nope')
      .throwOnError()
      .then(null, (error: unknown) => error)
    expect(thrown).toBeInstanceOf(PostgrestError)
    expect(thrown).toMatchObject({ code: '42703', message: 'column project.nope does not exist', details: null })
  })

  test('does not throw what went well, when asked to', async () => {
    expect(await answer(read().limit(1).throwOnError())).toEqual(ok(named(1)))
  })

  test('offers neither plans nor maps', async () => {
    const message = expect.stringMatching(/^None of these media types are available: application\//)
    expect(await answer(read().explain())).toEqual(refused(406, 'PGRST107', message))
    expect(await answer(read().geojson())).toEqual(refused(406, 'PGRST107', message))
  })

  test('never brings the other company into a page', async () => {
    const query = from('project').select('*', { count: 'exact' }).order('project_name').range(0, 99)
    const { data, count } = await query
    expect([data?.length, count]).toEqual([8, 8])
    expect(JSON.stringify(data)).not.toContain('Rival')
    expect((await from('project').select().csv()).data).not.toContain('Rival')
  })
})
