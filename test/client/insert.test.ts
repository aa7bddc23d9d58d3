import { beforeEach, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import {
  absent,
  answer,
  bidId,
  connect,
  expectRivalUntouched,
  moment,
  ok,
  projectId,
  refused,
  seed,
  uuid,
} from './support.ts'

onEachEngine('client: insert', (world) => {
  beforeEach(() => seed(world))
  const from = (resource: string) => connect(world).from(resource)
  const one = { bid_id: bidId(3), project_name: 'New' }
  const two = { bid_id: bidId(3), project_name: 'Newer' }
  const made = { id: uuid, created_at: moment, updated_at: moment }
  const stored = () => from('project').select('bid_id,project_name').eq('bid_id', bidId(3)).order('id')

  // PostgREST returns nothing here; this API returns what it made.
  test('returns the new project without being asked', async () => {
    expect(await answer(from('project').insert(one))).toEqual(ok({ ...one, ...made }, 201))
    expect(await answer(stored())).toEqual(ok([one]))
  })

  test('returns the new projects of a list without being asked', async () => {
    expect(await answer(from('project').insert([one, two]))).toEqual(
      ok(
        [
          { ...one, ...made },
          { ...two, ...made },
        ],
        201,
      ),
    )
  })

  test('returns a list of one as a list', async () => {
    expect(await answer(from('project').insert([one]))).toEqual(ok([{ ...one, ...made }], 201))
  })

  test('returns a list when asked for rows', async () => {
    expect(await answer(from('project').insert(one).select())).toEqual(ok([{ ...one, ...made }], 201))
  })

  test('returns some columns', async () => {
    const query = from('project').insert([one, two]).select('name:project_name')
    expect(await answer(query)).toEqual(ok([{ name: 'New' }, { name: 'Newer' }], 201))
  })

  test('returns a single object', async () => {
    expect(await answer(from('project').insert(one).select('project_name').single())).toEqual(
      ok({ project_name: 'New' }, 201),
    )
  })

  test('may return a single object', async () => {
    expect(await answer(from('project').insert(one).select('project_name').maybeSingle())).toEqual(
      ok({ project_name: 'New' }, 201),
    )
  })

  test('refuses a list as a single object, and stores nothing', async () => {
    const query = from('project').insert([one, two]).select().single()
    const message = 'Cannot coerce the result to a single JSON object'
    expect(await answer(query)).toEqual(refused(406, 'PGRST116', message, { details: 'The result contains 2 rows' }))
    expect(await answer(stored())).toEqual(ok([]))
  })

  test('returns what is embedded in the new row', async () => {
    const query = from('project').insert(one).select('project_name, bid(bid_name)').single()
    expect(await answer(query)).toEqual(ok({ project_name: 'New', bid: { bid_name: 'Ünïcode tender' } }, 201))
  })

  test('returns the rows in the order that is asked for', async () => {
    const query = from('project').insert([one, two]).select('project_name').order('project_name', { ascending: false })
    expect(await answer(query)).toEqual(ok([{ project_name: 'Newer' }, { project_name: 'New' }], 201))
  })

  test('returns CSV', async () => {
    const query = from('project').insert([one, two]).select('project_name').csv()
    expect(await answer(query)).toEqual(ok('project_name\nNew\nNewer', 201))
  })

  test('counts the new rows', async () => {
    const query = from('project').insert([one, two], { count: 'exact' }).select('project_name')
    expect(await answer(query)).toEqual(ok([{ project_name: 'New' }, { project_name: 'Newer' }], 201, 2))
  })

  test('stores a bid', async () => {
    const query = from('bid').insert({ bid_name: 'Airport' }).select().single()
    expect(await answer(query)).toEqual(ok({ bid_name: 'Airport', ...made }, 201))
  })

  test('takes an id from the client', async () => {
    const query = from('project')
      .insert({ ...one, id: absent })
      .select('id')
      .single()
    expect(await answer(query)).toEqual(ok({ id: absent }, 201))
  })

  test('stores every sign of every language', async () => {
    const names = [
      'O\u2019Brien & Söhne',
      '日本 “quotes”',
      'a\tb\nc',
      '\\ / \' " % _ * ( ) { } , . ;',
      '👩‍👩‍👧',
      'x'.repeat(255),
    ]
    const query = from('project')
      .insert(names.map((project_name) => ({ ...one, project_name })))
      .select('project_name')
    expect(await answer(query)).toEqual(
      ok(
        names.map((project_name) => ({ project_name })),
        201,
      ),
    )
    expect(await answer(stored())).toEqual(ok(names.map((project_name) => ({ ...one, project_name }))))
  })

  test('counts the length of a name in characters', async () => {
    const query = from('project')
      .insert({ ...one, project_name: '🏗'.repeat(255) })
      .select('id')
      .single()
    expect(await answer(query)).toEqual(ok({ id: uuid }, 201))
  })

  test('stores nothing for an empty list', async () => {
    expect(await answer(from('project').insert([]))).toEqual(ok([], 201))
    expect(await answer(from('project').insert([]).select())).toEqual(ok([], 201))
    expect((await from('project').select('*', { count: 'exact', head: true })).count).toBe(8)
  })

  test('makes ids for the rows of a list that have none, when asked to', async () => {
    const query = from('project')
      .insert([{ ...one, id: absent }, two], { defaultToNull: false })
      .select('id')
    expect(await answer(query)).toEqual(ok([{ id: absent }, { id: uuid }], 201))
  })

  test('takes what a row of a list lacks for null otherwise', async () => {
    const message = 'null value in column "id" of relation "project" violates not-null constraint'
    expect(
      await answer(
        from('project')
          .insert([{ ...one, id: absent }, two])
          .select('id'),
      ),
    ).toEqual(refused(400, '23502', message))
    expect(await answer(stored())).toEqual(ok([]))
  })

  test('stores all of a list or nothing', async () => {
    const query = from('project').insert([one, { bid_id: absent, project_name: 'Nowhere' }])
    expect(await answer(query)).toEqual(refused(409, '23503', expect.stringContaining('foreign key constraint')))
    expect(await answer(stored())).toEqual(ok([]))
  })

  const foreignKey = 'insert or update on table "project" violates foreign key constraint "project_bid_id_fkey"'
  const refusals: Record<string, [object, number, string, string]> = {
    'a bid that does not exist': [{ ...one, bid_id: absent }, 409, '23503', foreignKey],
    'a bid that is no id': [{ ...one, bid_id: '7' }, 400, '22P02', 'invalid input syntax for type uuid: "7"'],
    'no bid': [{ project_name: 'New' }, 400, '23502', nullIn('bid_id')],
    'null for a bid': [{ ...one, bid_id: null }, 400, '23502', nullIn('bid_id')],
    'no name': [{ bid_id: bidId(3) }, 400, '23502', nullIn('project_name')],
    'an empty name': [{ ...one, project_name: '' }, 400, '23514', checked],
    'a blank name': [{ ...one, project_name: ' \t\n ' }, 400, '23514', checked],
    'too long a name': [{ ...one, project_name: 'x'.repeat(256) }, 400, '23514', checked],
    'an unknown field': [
      { ...one, color: 'red' },
      400,
      'PGRST204',
      "Could not find the 'color' column of 'project' in the schema cache",
    ],
    'a company': [
      { ...one, company_id: absent },
      400,
      'PGRST204',
      "Could not find the 'company_id' column of 'project' in the schema cache",
    ],
    'an id that exists': [
      { ...one, id: projectId(1) },
      409,
      '23505',
      'duplicate key value violates unique constraint "project_pkey"',
    ],
  }

  for (const [sentence, [row, status, code, message]] of Object.entries(refusals)) {
    test(`refuses ${sentence}, and stores nothing`, async () => {
      expect(await answer(from('project').insert(row))).toEqual(refused(status, code, message))
      expect(await answer(from('project').insert([row]).select())).toEqual(refused(status, code, message))
      expect((await from('project').select('*', { count: 'exact', head: true })).count).toBe(8)
    })
  }

  test('refuses moments, which are the server\u2019s', async () => {
    for (const column of ['created_at', 'updated_at']) {
      const { status, error } = await from('project').insert({ ...one, [column]: '2020-01-01T00:00:00Z' })
      expect([status, error?.code]).toEqual([400, '428C9'])
    }
  })

  // Its id alone must tell nothing: the answer is the one for a bid that does not exist.
  test('cannot use a bid of the other company', async () => {
    const foreign = { bid_name: 'Rival only', id: '00000000-0000-7000-8000-0000000000d1' }
    await connect(world, world.rival).from('bid').insert(foreign).throwOnError()
    const query = from('project').insert({ ...one, bid_id: foreign.id })
    const nothing = from('project').insert({ ...one, bid_id: absent })
    expect(await answer(query)).toEqual(await answer(nothing))
    expect((await query).error?.message).toBe(foreignKey)
  })

  test('never touches the other company, even with an id that it has', async () => {
    const id = '00000000-0000-7000-8000-0000000000c1'
    expect(
      await answer(
        from('project')
          .insert({ ...one, id })
          .select('id')
          .single(),
      ),
    ).toEqual(ok({ id }, 201))
    await expectRivalUntouched(world)
  })
})

const nullIn = (column: string) => `null value in column "${column}" of relation "project" violates not-null constraint`
const checked = 'new row for relation "project" violates check constraint "project_project_name_check"'
