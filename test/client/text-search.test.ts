import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { answer, connect, named, ok, refused, seed } from './support.ts'

onEachEngine('client: textSearch', (world) => {
  beforeAll(() => seed(world))
  const read = () => connect(world).from('project').select('project_name').order('id')
  type Options = { type?: 'plain' | 'phrase' | 'websearch'; config?: string }

  const searches: Record<string, [string, Options, number[]]> = {
    'a word': ['bridge', {}, [1, 2]],
    'a word in another case': ['BRIDGE', {}, [1, 2]],
    'a word of another script': ['東京', {}, [6]],
    'a part of a word is no word': ['brid', {}, []],
    'the start of a word': ['brid:*', {}, [1, 2]],
    'both words': ['bridge & north', {}, [2]],
    'either word': ['gamma | delta', {}, [3, 4]],
    'one word without the other': ['bridge & !north', {}, [1]],
    brackets: ['(gamma | bridge) & !alpha', {}, [2, 3]],
    'a word next to a word': ['alpha <-> bridge', {}, [1]],
    'words behind punctuation': ['tunnel', {}, [7]],
    'no word at all': ['', { type: 'plain' }, []],
    'plain: all words in any order': ['north bridge', { type: 'plain' }, [2]],
    'plain: operators are no words': ['bridge & !north', { type: 'plain' }, [2]],
    'phrase: words in a row': ['alpha bridge', { type: 'phrase' }, [1]],
    'phrase: not in another order': ['bridge alpha', { type: 'phrase' }, []],
    'phrase: not with words between': ['gamma dam', { type: 'phrase' }, []],
    'websearch: a phrase in quotes': ['"quoted dam"', { type: 'websearch' }, [3]],
    'websearch: one word without the other': ['bridge -north', { type: 'websearch' }, [1]],
    'websearch: either word': ['gamma or delta', { type: 'websearch' }, [3, 4]],
    'the simple configuration': ['bridge', { config: 'simple' }, [1, 2]],
    'the simple configuration knows no word forms': ['bridges', { config: 'simple' }, []],
    'the simple configuration, plain': ['phase 2', { config: 'simple', type: 'plain' }, [5]],
    'the simple configuration, phrase': ['phase 2', { config: 'simple', type: 'phrase' }, [5]],
    'the simple configuration, websearch': ['epsilon -gamma', { config: 'simple', type: 'websearch' }, [5]],
    'two words behind a word': ['epsilon <2> 2', {}, [5]],
    'a word that is not followed by another': ['bridge <-> !north', {}, [1]],
    'a phrase within a phrase': ["'epsilon phase' <-> 2", {}, [5]],
    'English: another form of a word': ['bridges & !northing', { config: 'english' }, [1]],
    'English, plain: common words are left out': ['the dams', { config: 'english', type: 'plain' }, [3]],
    'English, phrase: forms in a row': ['alphas bridging', { config: 'english', type: 'phrase' }, [1]],
    'English, websearch: one form without another': ['bridging -norths', { config: 'english', type: 'websearch' }, [1]],
    'English: only common words find nothing': ['the | of', { config: 'english' }, []],
    'English: the start of a form': ['bridges:*', { config: 'English' }, [1, 2]],
  }

  for (const [sentence, [text, options, numbers]] of Object.entries(searches)) {
    test(sentence, async () => {
      expect(await answer(read().textSearch('project_name', text, options))).toEqual(ok(named(...numbers)))
    })
  }

  test('the opposite of a search', async () => {
    expect(await answer(read().not('project_name', 'fts', 'alpha | bridge'))).toEqual(ok(named(3, 4, 5, 6, 8)))
  })

  test('parts of words with hyphens, and the words', async () => {
    const wing = { project_name: 'North-east wing' }
    const bid = await connect(world).from('bid').insert({ bid_name: 'Wings' }).select('id').single()
    await connect(world)
      .from('project')
      .insert({ ...wing, bid_id: bid.data?.id })
      .throwOnError()
    const wings = () => connect(world).from('project').select('project_name').eq('bid_id', bid.data?.id)
    for (const text of ['east', 'north-east', "'north-east' & wing", 'east <-> wing']) {
      expect(await answer(wings().textSearch('project_name', text))).toEqual(ok([wing]))
    }
    for (const type of ['plain', 'phrase', 'websearch'] as const) {
      expect(await answer(wings().textSearch('project_name', 'north-east wing', { type }))).toEqual(ok([wing]))
    }
    await connect(world).from('project').delete().eq('bid_id', bid.data?.id).throwOnError()
  })

  test('two words without an operator between them are refused', async () => {
    const message = 'syntax error in tsquery: "alpha bridge"'
    expect(await answer(read().textSearch('project_name', 'alpha bridge'))).toEqual(refused(400, '42601', message))
  })

  test('a configuration that does not exist is refused', async () => {
    const query = read().textSearch('project_name', 'bridge', { config: 'klingon' })
    const message = 'text search configuration "klingon" does not exist'
    expect(await answer(query)).toEqual(refused(400, '42704', message))
    expect((await query).error?.hint).toBe('Languages: simple, english. Without one, it is simple.')
  })

  test('a search in a column that is no text is refused', async () => {
    const message = expect.stringMatching(/^operator does not exist: uuid @@ /)
    expect(await answer(read().textSearch('id', 'bridge'))).toEqual(refused(400, '42883', message))
  })

  test('English finds a common word nowhere, and everything without it', async () => {
    expect(await answer(read().not('project_name', 'fts(english)', 'the'))).toEqual(ok(named(1, 2, 3, 4, 5, 6, 7, 8)))
  })

  test('a search never finds the other company', async () => {
    expect(await answer(read().textSearch('project_name', 'rival | secret'))).toEqual(ok([]))
    expect(await answer(read().textSearch('project_name', 'rivals | secrets', { config: 'english' }))).toEqual(ok([]))
    expect(await answer(read().textSearch('project_name', 'alpha'))).toEqual(ok(named(1, 7)))
  })
})
