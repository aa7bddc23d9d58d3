import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { answer, bidId, connect, named, ok, projectId, refused, seed } from './support.ts'

onEachEngine('client: or, and, not', (world) => {
  beforeAll(() => seed(world))
  const read = () => connect(world).from('project').select('project_name').order('id')

  /** What is given to or(), with the numbers of the projects that it leaves. */
  const alternatives: Record<string, [string, number[]]> = {
    'one of two': ['project_name.eq.Alpha bridge,project_name.eq.alpha_tunnel', [1, 7]],
    'one alone': ['project_name.eq.Alpha bridge', [1]],
    'none of two': ['project_name.eq.a,project_name.eq.b', []],
    'a value with a comma, in quotes': ['project_name.eq."Beta bridge, north",project_name.eq.nothing', [2]],
    'a value with brackets, in quotes': ['project_name.eq."Epsilon (phase 2)",project_name.eq.nothing', [5]],
    'a value with quotes, escaped in quotes': ['project_name.eq."Gamma \\"quoted\\" dam"', [3]],
    'a value with a dot in it': ['project_name.eq.v1.2,project_name.like.*dam', [3]],
    'an and inside': [`project_name.like.1*,and(bid_id.eq.${bidId(1)},project_name.ilike.*bridge*)`, [1, 2, 4]],
    'an or inside an and inside': [
      `and(bid_id.eq.${bidId(2)},or(project_name.like.*Delta,project_name.like.Eps*))`,
      [4, 5],
    ],
    'a negated filter': [`project_name.not.like.*o*,id.eq.${projectId(2)}`, [1, 2, 4, 7, 8]],
    'a negated and': [`not.and(bid_id.eq.${bidId(1)},id.lt.${projectId(8)})`, [4, 5, 6, 7, 8]],
    'a negated or': [`id.eq.${projectId(1)},not.or(bid_id.eq.${bidId(1)},id.gt.${projectId(5)})`, [1, 4, 5]],
    'a list': [`id.in.(${projectId(2)},${projectId(3)}),project_name.in.("Epsilon (phase 2)","x,y")`, [2, 3, 5]],
    'a negated list': [`id.not.in.(${[1, 2, 3, 4, 5].map(projectId)})`, [6, 7, 8]],
    nulls: [`id.is.null,project_name.is.not_null`, [1, 2, 3, 4, 5, 6, 7, 8]],
    'patterns, any of several': [
      'project_name.like(any).{Alpha*,Beta*},project_name.like(all).{*dam,Gamma*}',
      [1, 2, 3],
    ],
    'a search': ['project_name.fts.bridge,project_name.wfts(simple).delta', [1, 2, 4]],
    'a regular expression': ['project_name.match.^Alpha,project_name.imatch.^ALPHA', [1, 7]],
    'blanks between': [`id.eq.${projectId(1)}, id.eq.${projectId(2)}`, [1, 2]],
  }

  for (const [sentence, [text, numbers]] of Object.entries(alternatives)) {
    test(`or: ${sentence}`, async () => {
      expect(await answer(read().or(text))).toEqual(ok(named(...numbers)))
    })
  }

  test('or twice: both of them', async () => {
    const query = read()
      .or(`bid_id.eq.${bidId(1)},project_name.like.100*`)
      .or('project_name.like.*bridge*,project_name.like.*Delta')
    expect(await answer(query)).toEqual(ok(named(1, 2, 4)))
  })

  test('or next to another filter: both of them', async () => {
    const query = read().or('project_name.like.Alpha*,project_name.like.Eps*').eq('bid_id', bidId(2))
    expect(await answer(query)).toEqual(ok(named(5)))
  })

  test('or in a count', async () => {
    const query = connect(world).from('project').select('*', { count: 'exact', head: true })
    expect(await answer(query.or('project_name.like.*bridge*,project_name.like.*dam'))).toEqual(ok(null, 200, 3))
  })

  test('or of nothing is refused', async () => {
    const message = expect.stringContaining('failed to parse logic tree (())')
    expect(await answer(read().or(''))).toEqual(refused(400, 'PGRST100', message))
  })

  test('or that is not closed is refused', async () => {
    const text = 'and(id.is.null,project_name.eq.a'
    const message = expect.stringContaining(`failed to parse logic tree ((${text}))`)
    expect(await answer(read().or(text))).toEqual(refused(400, 'PGRST100', message))
  })

  test('or over an unknown column is refused', async () => {
    const message = 'column project.nope does not exist'
    expect(await answer(read().or('nope.eq.1,id.is.null'))).toEqual(refused(400, '42703', message))
  })

  test('or never widens a read to the other company', async () => {
    const { data } = await connect(world).from('project').select().or('id.not.is.null,id.is.null')
    expect(data).toHaveLength(8)
    expect(JSON.stringify(data)).not.toContain('Rival')
    expect(await answer(read().or('company_id.not.is.null'))).toEqual(
      refused(400, '42703', 'column project.company_id does not exist'),
    )
  })
})
