import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { mistyped } from '../support/mistyped.ts'
import { answer, bidId, connect, connectWith, expectRivalUntouched, ok, projectId, refused, seed } from './support.ts'

onEachEngine('client: errors', (world) => {
  beforeAll(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const read = (columns = '*') => from('project').select(columns)
  const row = { bid_id: bidId(1), project_name: 'New' }

  test('have a code, a message, details and a hint, and nothing else', async () => {
    const { error } = await from('project').select().eq('id', 'x')
    expect(Object.keys(error ?? {}).sort()).toEqual(['code', 'details', 'hint', 'message'])
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: '22P02',
      message: 'invalid input syntax for type uuid: "x"',
      details: null,
      hint: expect.stringMatching(/\S/),
    })
  })

  test('an unknown resource', async () => {
    const message = "Could not find the table 'public.projec' in the schema cache"
    const hint = "Perhaps you meant the table 'public.project'"
    expect(await answer(from('projec').select())).toEqual(refused(404, 'PGRST205', message, { hint }))
  })

  test('an unknown resource that is written to', async () => {
    const message = "Could not find the table 'public.invoice' in the schema cache"
    expect(await answer(from('invoice').insert({ total: 1 }))).toEqual(
      refused(404, 'PGRST205', message, { hint: null }),
    )
    expect(await answer(from('invoice').update({ total: 1 }).eq('id', 1))).toEqual(refused(404, 'PGRST205', message))
    expect(await answer(from('invoice').delete().eq('id', 1))).toEqual(refused(404, 'PGRST205', message))
  })

  test('an unknown column, with the one that was meant', async () => {
    const hint = expect.stringContaining('Perhaps you meant to reference the column "project.project_name".')
    const message = 'column project.projet_name does not exist'
    expect(await answer(read('projet_name'))).toEqual(refused(400, '42703', message, { hint }))
    expect(await answer(read().eq('projet_name', 'x'))).toEqual(refused(400, '42703', message, { hint }))
    expect(await answer(read().order('projet_name'))).toEqual(refused(400, '42703', message, { hint }))
  })

  test('an unknown column of what is embedded', async () => {
    const message = expect.stringMatching(/^column bid(_1)?\.nope does not exist$/)
    expect(await answer(read('id, bid(nope)'))).toEqual(refused(400, '42703', message))
    expect(await answer(read('id, bid(id)').eq('bid.nope', 1))).toEqual(refused(400, '42703', message))
    expect(await answer(read('id, bid(id)').order('nope', { referencedTable: 'bid' }))).toEqual(
      refused(400, '42703', message),
    )
  })

  /** A select that cannot be read, or names what there is not. */
  const selects: Record<string, [string, string]> = {
    'a bracket that is not closed': ['id,bid(id', 'PGRST100'],
    'a bracket that is not opened': ['id)', 'PGRST100'],
    'a comma too many': ['id,,bid_id', 'PGRST100'],
    'an unknown type to cast to': ['id::colour', '42704'],
    'a type that does not fit': ['id::date', '42846'],
    'an aggregate that does not fit': ['bid_id.sum()', '42883'],
  }

  for (const [sentence, [columns, code]] of Object.entries(selects)) {
    test(`a select with ${sentence}`, async () => {
      expect(await answer(read(columns))).toEqual(refused(400, code, expect.any(String)))
    })
  }

  test('a value that is no id', async () => {
    const message = 'invalid input syntax for type uuid: "1"'
    expect(await answer(read().eq('id', 1))).toEqual(refused(400, '22P02', message))
    expect(await answer(read().in('id', [projectId(1), 1]))).toEqual(refused(400, '22P02', message))
    expect(await answer(read().or('id.eq.1,id.is.null'))).toEqual(refused(400, '22P02', message))
  })

  test('a value that is no time', async () => {
    const message = 'invalid input syntax for type timestamp with time zone: "soon"'
    expect(await answer(read().gt('created_at', 'soon'))).toEqual(refused(400, '22007', message))
  })

  test('a regular expression that is none', async () => {
    const message = expect.stringMatching(/^invalid regular expression: /)
    expect(await answer(read().regexMatch('project_name', '(a'))).toEqual(refused(400, '2201B', message))
  })

  test('an operator that does not fit the column', async () => {
    const message = expect.stringMatching(/^operator does not exist: uuid ~~ /)
    expect(await answer(read().like('id', '%1%'))).toEqual(refused(400, '42883', message))
  })

  test('an operator for lists and ranges, of which there are none', async () => {
    const message = expect.stringMatching(/^operator does not exist: text /)
    for (const query of [
      read().contains('project_name', ['a']),
      read().containedBy('project_name', ['a']),
      read().overlaps('project_name', ['a']),
      read().rangeGt('project_name', '[1,2)'),
      read().rangeGte('project_name', '[1,2)'),
      read().rangeLt('project_name', '[1,2)'),
      read().rangeLte('project_name', '[1,2)'),
      read().rangeAdjacent('project_name', '[1,2)'),
    ]) {
      expect(await answer(query)).toEqual(refused(400, '42883', message))
    }
  })

  test('an operator that does not exist', async () => {
    const message = '"failed to parse filter (resembles.x)" (line 1, column 1)'
    expect(await answer(read().filter('project_name', 'resembles', 'x'))).toEqual(refused(400, 'PGRST100', message))
  })

  test('is true, of what is no truth value', async () => {
    const message = 'argument of IS TRUE must be type boolean, not type text'
    expect(await answer(read().is('project_name', true))).toEqual(refused(400, '42804', message))
  })

  test('is, with a value that it does not know', async () => {
    const message = '"failed to parse filter (is.banana)" (line 1, column 4)'
    expect(await answer(read().filter('id', 'is', 'banana'))).toEqual(refused(400, 'PGRST100', message))
  })

  test('a pattern that ends in an escape', async () => {
    const message = 'LIKE pattern must not end with escape character'
    expect(await answer(read().like('project_name', 'a\\'))).toEqual(refused(400, '22025', message))
  })

  test('a schema that is not served', async () => {
    const query = connect(world).schema('private').from('project').select()
    const hint = 'Only the following schemas are exposed: public'
    expect(await answer(query)).toEqual(refused(406, 'PGRST106', 'Invalid schema: private', { hint }))
    const insert = connect(world).schema('private').from('project').insert(row)
    expect(await answer(insert)).toEqual(refused(406, 'PGRST106', 'Invalid schema: private', { hint }))
  })

  test('a function, of which there are none', async () => {
    const message = expect.stringMatching(/^Could not find the function public\.add_two/)
    expect(await answer(connect(world).rpc('add_two', { a: 1, b: 2 }))).toEqual(refused(404, 'PGRST202', message))
  })

  test('a read without rows has no body to say more in', async () => {
    const query = from('project').select('nope', { head: true, count: 'exact' })
    expect(await answer(query)).toEqual({
      data: null,
      error: { message: '' },
      count: null,
      status: 400,
      statusText: 'Bad Request',
    })
  })

  test('a key that is not valid', async () => {
    const { apiKey } = world.acme
    const wrong = mistyped(apiKey)
    const client = connectWith(world, wrong, { 'X-API-Secret': world.acme.apiSecret })
    expect(await answer(client.from('project').select())).toEqual(
      refused(401, 'invalid_api_key', 'The API key is not valid'),
    )
    expect(await answer(client.from('project').insert(row))).toEqual(
      refused(401, 'invalid_api_key', 'The API key is not valid'),
    )
  })

  test('a write without the secret', async () => {
    const stranger = connect(world, world.acme, {}).from('project')
    const failed = refused(403, '42501', 'The request is not scoped to a company')
    expect(await answer(stranger.insert(row))).toEqual(failed)
    expect(await answer(stranger.upsert(row))).toEqual(failed)
    expect(await answer(stranger.update(row).eq('id', projectId(1)))).toEqual(failed)
    expect(await answer(stranger.delete().eq('id', projectId(1)))).toEqual(failed)
  })

  test('a write with a credential that may only read', async () => {
    const reader = connect(world, await world.acme.withCredential('read')).from('project')
    expect((await reader.select('*', { count: 'exact', head: true })).count).toBe(8)
    const failed = refused(403, 'insufficient_scope', 'This credential may only read')
    expect(await answer(reader.insert(row))).toEqual(failed)
    expect(await answer(reader.delete().eq('id', projectId(1)))).toEqual(failed)
  })

  test('are the same for a row of the other company as for one that does not exist', async () => {
    const theirs = await answer(read().eq('id', world.rival.project).single())
    expect(theirs).toEqual(await answer(read().eq('id', crypto.randomUUID()).single()))
    expect(await answer(from('project').select('id').eq('id', world.rival.project))).toEqual(ok([]))
    await expectRivalUntouched(world)
  })
})
