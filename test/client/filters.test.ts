import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { absent, answer, bidId, connect, named, nameOf, ok, projectId, seed } from './support.ts'

onEachEngine('client: filters', (world) => {
  beforeAll(() => seed(world))
  const read = () => connect(world).from('project').select('project_name').order('id')
  type Filter = (rows: ReturnType<typeof read>) => ReturnType<typeof read>

  /** Each filter with the numbers of the projects that it leaves. */
  const filters: Record<string, [Filter, number[]]> = {
    'eq: a name': [(rows) => rows.eq('project_name', 'Alpha bridge'), [1]],
    'eq: a name with a comma': [(rows) => rows.eq('project_name', nameOf(2)), [2]],
    'eq: a name with quotes': [(rows) => rows.eq('project_name', nameOf(3)), [3]],
    'eq: a name with a percent sign': [(rows) => rows.eq('project_name', nameOf(4)), [4]],
    'eq: a name with brackets': [(rows) => rows.eq('project_name', nameOf(5)), [5]],
    'eq: a name in many scripts': [(rows) => rows.eq('project_name', nameOf(6)), [6]],
    'eq: a name with a backslash and an asterisk': [(rows) => rows.eq('project_name', nameOf(8)), [8]],
    'eq: quotes are part of the value': [(rows) => rows.eq('project_name', '"Alpha bridge"'), []],
    'eq: case matters': [(rows) => rows.eq('project_name', 'alpha bridge'), []],
    'eq: an id': [(rows) => rows.eq('id', projectId(4)), [4]],
    'eq: an id in capitals': [(rows) => rows.eq('id', projectId(4).toUpperCase()), [4]],
    'eq: an id of nothing': [(rows) => rows.eq('id', absent), []],
    'neq: all others': [(rows) => rows.neq('project_name', 'Alpha bridge'), [2, 3, 4, 5, 6, 7, 8]],
    'neq: another bid': [(rows) => rows.neq('bid_id', bidId(1)), [4, 5, 6, 7]],
    'gt: names behind': [(rows) => rows.gt('project_name', 'Gamma "quoted" dam'), [6, 7, 8]],
    'gte: names behind and the name itself': [(rows) => rows.gte('project_name', nameOf(3)), [3, 6, 7, 8]],
    'lt: names before': [(rows) => rows.lt('project_name', 'Alpha bridge'), [4]],
    'lte: names before and the name itself': [(rows) => rows.lte('project_name', 'Alpha bridge'), [1, 4]],
    'gt and lte: between two ids': [(rows) => rows.gt('id', projectId(2)).lte('id', projectId(5)), [3, 4, 5]],
    'gt: times': [(rows) => rows.gt('created_at', '2020-01-31T12:00:00Z'), [1, 2, 3, 4, 5, 6, 7, 8]],
    'lt: times': [(rows) => rows.lt('created_at', '2020-01-31T12:00:00+02:00'), []],
    'like: a start': [(rows) => rows.like('project_name', 'Alpha%'), [1]],
    'like: a middle': [(rows) => rows.like('project_name', '%bridge%'), [1, 2]],
    'like: asterisks for percent signs': [(rows) => rows.like('project_name', '*bridge*'), [1, 2]],
    'like: any one sign': [(rows) => rows.like('project_name', 'alpha_tunnel'), [7]],
    'like: one sign of many bytes': [(rows) => rows.like('project_name', '_n_code%'), [6]],
    'like: signs beyond the basic plane': [(rows) => rows.like('project_name', '%東京 __'), [6]],
    'like: a percent sign itself': [(rows) => rows.like('project_name', '%\\%%'), [4]],
    'like: an underscore itself': [(rows) => rows.like('project_name', '%\\_%'), [7]],
    'like: a backslash itself': [(rows) => rows.like('project_name', '%\\\\%'), [8]],
    'like: the whole name or nothing': [(rows) => rows.like('project_name', 'Alpha'), []],
    'like: case matters': [(rows) => rows.like('project_name', 'ALPHA%'), []],
    'likeAllOf: every pattern': [(rows) => rows.likeAllOf('project_name', ['%bridge%', '%north%']), [2]],
    'likeAnyOf: one of the patterns': [(rows) => rows.likeAnyOf('project_name', ['Alpha%', '%Delta']), [1, 4]],
    'ilike: case does not matter': [(rows) => rows.ilike('project_name', 'ALPHA%'), [1, 7]],
    'ilike: nor does it beyond ASCII': [(rows) => rows.ilike('project_name', '%ünÏcode%'), [6]],
    'ilikeAllOf: every pattern': [(rows) => rows.ilikeAllOf('project_name', ['%ALPHA%', '%BRIDGE%']), [1]],
    'ilikeAnyOf: one of the patterns': [(rows) => rows.ilikeAnyOf('project_name', ['alpha%', '%DAM']), [1, 3, 7]],
    'regexMatch: a pattern': [(rows) => rows.regexMatch('project_name', '^Alpha b.*e$'), [1]],
    'regexMatch: digits': [(rows) => rows.regexMatch('project_name', '[0-9]+'), [4, 5]],
    'regexMatch: classes by name': [(rows) => rows.regexMatch('project_name', '[[:digit:]]'), [4, 5]],
    'regexMatch: short classes': [(rows) => rows.regexMatch('project_name', '^\\S+$'), [7, 8]],
    'regexMatch: a number of signs': [(rows) => rows.regexMatch('project_name', '^.{12}$'), [1, 7]],
    'regexMatch: signs beyond the basic plane': [(rows) => rows.regexMatch('project_name', '^.{20}$'), [6]],
    'regexMatch: a bracket itself': [(rows) => rows.regexMatch('project_name', '\\(p'), [5]],
    'regexMatch: alternatives': [(rows) => rows.regexMatch('project_name', '(dam|Delta)$'), [3, 4]],
    'regexMatch: case matters': [(rows) => rows.regexMatch('project_name', '^alpha'), [7]],
    'regexIMatch: case does not matter': [(rows) => rows.regexIMatch('project_name', '^ALPHA'), [1, 7]],
    'regexIMatch: nor does it beyond ASCII': [(rows) => rows.regexIMatch('project_name', '^ÜNÏ'), [6]],
    'is: null never occurs': [(rows) => rows.is('project_name', null), []],
    'is: not null always does': [(rows) => rows.not('bid_id', 'is', null), [1, 2, 3, 4, 5, 6, 7, 8]],
    'isDistinct: all others': [(rows) => rows.isDistinct('bid_id', bidId(1)), [4, 5, 6, 7]],
    'isDistinct: null is a text like any': [(rows) => rows.isDistinct('project_name', null), [1, 2, 3, 4, 5, 6, 7, 8]],
    'in: names with reserved signs': [(rows) => rows.in('project_name', [2, 3, 5, 6].map(nameOf)), [2, 3, 5, 6]],
    'in: ids, some of nothing': [(rows) => rows.in('id', [projectId(8), absent, projectId(1)]), [1, 8]],
    'in: an empty list is nothing': [(rows) => rows.in('id', []), []],
    'notIn: all others': [(rows) => rows.notIn('project_name', [1, 2, 3, 4, 5].map(nameOf)), [6, 7, 8]],
    'notIn: an empty list is all': [(rows) => rows.notIn('id', []), [1, 2, 3, 4, 5, 6, 7, 8]],
    'not: eq': [(rows) => rows.not('bid_id', 'eq', bidId(1)), [4, 5, 6, 7]],
    'not: like': [(rows) => rows.not('project_name', 'like', '%o%'), [1, 4, 7, 8]],
    'not: in': [(rows) => rows.not('id', 'in', `(${projectId(1)},${projectId(2)})`), [3, 4, 5, 6, 7, 8]],
    'not: ilike(any)': [(rows) => rows.not('project_name', 'ilike(any)', '{%a%,%i%}'), []],
    'match: several columns': [(rows) => rows.match({ bid_id: bidId(2), project_name: 'alpha_tunnel' }), [7]],
    'match: undefined is left out': [(rows) => rows.match({ bid_id: bidId(2), id: undefined }), [4, 5, 6, 7]],
    'match: nothing is all': [(rows) => rows.match({}), [1, 2, 3, 4, 5, 6, 7, 8]],
    'filter: any operator': [(rows) => rows.filter('project_name', 'ilike', '*BRIDGE*'), [1, 2]],
    'filter: a negated operator': [(rows) => rows.filter('id', 'not.gt', projectId(2)), [1, 2]],
    'filter: eq(any)': [(rows) => rows.filter('id', 'eq(any)', `{${projectId(3)},${projectId(4)}}`), [3, 4]],
    'filter: gt(all)': [(rows) => rows.filter('project_name', 'gt(all)', '{Alpha,"Zeta, or so"}'), [6, 7, 8]],
    'filter: is.not_null': [(rows) => rows.filter('id', 'is', 'not_null'), [1, 2, 3, 4, 5, 6, 7, 8]],
    'several filters: all of them': [(rows) => rows.eq('bid_id', bidId(1)).ilike('project_name', '%bridge%'), [1, 2]],
    'several filters on a column: all of them': [
      (rows) => rows.gte('id', projectId(2)).neq('id', projectId(3)).lte('id', projectId(4)),
      [2, 4],
    ],
  }

  for (const [sentence, [filter, numbers]] of Object.entries(filters)) {
    test(sentence, async () => {
      expect(await answer(filter(read()))).toEqual(ok(named(...numbers)))
    })
  }

  test('finds a time as it was shown, and in other spellings', async () => {
    const { data } = await connect(world).from('project').select('created_at').eq('id', projectId(1)).single()
    const shown: string = data?.created_at
    for (const text of [shown, new Date(shown).toISOString(), shown.replace('T', ' ').replace('+00:00', '+00')]) {
      expect(await answer(read().eq('created_at', text).eq('id', projectId(1)))).toEqual(ok(named(1)))
      expect(await answer(read().lt('created_at', text).eq('id', projectId(1)))).toEqual(ok([]))
    }
  })

  test('takes a thousand ids in one list', async () => {
    const ids = Array.from({ length: 1000 }, () => crypto.randomUUID())
    expect(await answer(read().in('id', [...ids, projectId(5)]))).toEqual(ok(named(5)))
  })

  test('never finds a row of the other company', async () => {
    expect(await answer(read().like('project_name', 'Rival%'))).toEqual(ok([]))
    expect(await answer(read().in('id', [world.rival.project, projectId(1)]))).toEqual(ok(named(1)))
    expect(await answer(read().neq('project_name', 'Alpha bridge'))).toEqual(ok(named(2, 3, 4, 5, 6, 7, 8)))
    expect(await answer(read().or('project_name.neq.x,id.not.is.null'))).toEqual(ok(named(1, 2, 3, 4, 5, 6, 7, 8)))
  })
})
