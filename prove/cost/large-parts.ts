import { castNames } from '../../src/types/column-type.ts'
import { operatorNames } from '../../src/types/operators.ts'
import { fieldBody, fieldChange } from '../fuzz/fuzz-fields.ts'
import { closedUrl } from '../fuzz/fuzz-webhooks.ts'
import type { Random } from '../random.ts'
import type { AttackRequest, Body } from './attack-request.ts'
import { choiceNames, liveFields } from './large-fields.ts'
import { file, idOf, ids, json, setting, texts, write } from './large-requests.ts'

const names = liveFields('project').map(({ name }) => name)
/** The long texts come first, and more often. */
const name = (random: Random): string => (random.chance(0.7) ? `text_${random.below(7)}` : random.pick(names))
const aggregates = ['count', 'max', 'min', 'sum', 'avg']

/** The fields that the fuzzer knows of a company are others here. */
export const withLargeNames = (text: string): string =>
  text.replace(/own_(\d+)/g, (_, digits) => names[Number(digits)] ?? 'text_0')

/** A part of a query about own fields. */
export const largePart = (random: Random): string => random.pick(parts)(random)

const parts: readonly ((random: Random) => string)[] = [
  condition,
  condition,
  (random) => `select=${random.chance(0.5) ? 'id,' : ''}${value(random)}`,
  (random) => `select=${value(random)},count()`,
  (random) => `select=${value(random)}.${random.pick(aggregates)}()`,
  (random) => `order=${name(random)}.${random.pick(['asc', 'desc', 'desc.nullslast'])}`,
  (random) => `id=in.(${ids(1 + random.below(40), random.pick([0, 100, 10_000]))})`,
  (random) =>
    `or=(${Array.from({ length: 1 + random.below(4) }, () => condition(random).replace('=', '.')).join(',')})`,
  (random) => `limit=${random.pick([1, 20, 200, 1000])}`,
]

function value(random: Random): string {
  return `${name(random)}${random.chance(0.6) ? `::${random.pick(castNames)}` : ''}`
}

function condition(random: Random): string {
  const operator = random.chance(0.7) ? random.pick(slow) : random.pick(operatorNames)
  return `${name(random)}=${operator}.${operand(random, operator)}`
}

const slow = ['like', 'ilike', 'match', 'imatch', 'fts', 'plfts', 'phfts', 'wfts']

/** Almost found at every place of a text, as long as it may be. */
function operand(random: Random, operator: string): string {
  const times = random.pick([1, 10, 28, 120, 240])
  if (operator.endsWith('fts')) return random.pick([`«a ×${times}»b`, `«alpha beta ×${times}»`, `«a|×${times}»b`])
  if (operator.endsWith('like')) return random.pick([`*«a×${2 * times}»b*`, `*«a*×${times}»b`, `*«_×${times}»b`])
  if (operator.endsWith('match'))
    return random.pick([`a[ab]{${times}}[cd]`, `(?:a|b)*a(?:a|b){${times}}c`, `«a?×${times}»b`])
  return random.pick(['-5', 's1', 'a', '0.1', '2026-01-31', 'true', '{k0}', '(1,2)', '«9×400»'])
}

/** What a page of the settings app is asked for. */
export const pagePart = (random: Random): string =>
  random.pick([
    `${random.pick(['q', 'actor', 'target', 'path', 'action'])}=«a×${random.pick([1, 20, 150, 199, 1000, 20_000])}»b`,
    `limit=${random.pick([1, 200])}`,
    `offset=${random.pick([0, 3900, 1_000_000])}`,
    random.pick(['order=asc', 'outcome=ok', 'method=GET', 'status=200', 'span=7d']),
  ])

/** What can be written into large rows. */
export const largeBodies: readonly Body[] = [
  json('{"project_name":"b"}'),
  json('{"text_0":"x","state":"s1"}'),
  json(`{${texts('\\u0001', 4000)}}`),
  json(`{"bid_id":"${idOf(0)}","project_name":"a",${texts('a ', 2000)}}`, 30),
  json(`{"bid_id":"${idOf(0)}","project_name":"a",${texts('\\"', 2000)}}`, 300),
  json(`{"id":"00000000-0000-4000-8000-00000001§§§§","bid_id":"${idOf(0)}","project_name":"b"}`, 1000),
  json(
    `{"id":"00000000-0000-4000-8000-00000001§§§§","bid_id":"${idOf(0)}","project_name":"b",${texts('a', 500)}}`,
    250,
  ),
]

/** A change of one row or of many, of which streams are told. */
export const told = (random: Random): AttackRequest =>
  write(
    'PATCH',
    random.pick([`id=eq.${idOf(0)}`, `id=in.(${ids(30)})`, 'project_name=eq.large']),
    random.pick(largeBodies.slice(0, 3)),
  )

/** What owners send, without what would end the attack. */
export const ownerRequest = (random: Random): AttackRequest => random.pick(ownerRequests)(random)

const ownerRequests: readonly ((random: Random) => AttackRequest)[] = [
  (random) => setting('POST', '/api/fields', JSON.stringify(fieldBody(random))),
  (random) => setting('PATCH', `/api/fields/${idOf(random.below(64))}`, JSON.stringify(fieldChange(random))),
  (random) => setting('PATCH', `/api/fields/${idOf(random.below(64))}`, '{"indexed":true}'),
  (random) => setting('POST', `/api/fields/${idOf(random.below(64))}/archive`, '{}'),
  (random) => setting('POST', `/api/webhooks/${idOf(random.below(13))}/replay`, '{"since":"2025-01-01T00:00:00Z"}'),
  (random) => ({
    ...setting('POST', `/api/webhooks/${idOf(random.below(13))}/test`, '{}'),
    copies: random.pick([1, 60]),
  }),
  (random) => ({
    ...setting('POST', '/api/webhooks', JSON.stringify({ url: closedUrl, filter: condition(random) })),
    next: told(random),
  }),
  (random) => {
    const columns = random.pick([choiceNames, names, ['bid_id', 'project_name']])
    return setting(
      'POST',
      `/api/import/project/${random.pick(['preview', 'check', 'write'])}`,
      file(columns, random.pick([1, 50, 400])),
    )
  },
  () => setting('POST', '/api/import/bid/preview', '{"text":"«a,×99»\\n«a\\n×9000»"}'),
]
