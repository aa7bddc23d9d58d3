import type { AttackRequest } from './attack-request.ts'
import { choiceNames } from './large-fields.ts'
import { events, file, idOf, ids, json, page, read, setting, stream, texts, upsert, write } from './large-requests.ts'

/** What the fields, events and webhooks of a company with large rows make possible: where the search starts, too. */
export const largeSeeds: readonly AttackRequest[] = [
  // Filters of streams, each of which is asked about one change.
  stream(`text_0=phfts.«a ×240»b`, 20),
  stream(`text_0=phfts.«a ×240»b`, 200),
  stream(`project_name=phfts.«a ×120»b`, 100),
  stream('or=(text_3.match."a[ab]{240}[cd]",text_3.match."b[ab]{240}[cd]")', 20),
  // Events from the past.
  { ...events(), copies: 1 },
  { ...events(), copies: 20 },
  // Writes of many large rows, with their events.
  upsert(1000),
  write('PATCH', 'project_name=eq.largest&limit=501&order=id', json('{"project_name":"b"}')),
  write('PATCH', 'project_name=eq.largest', json('{"project_name":"b"}')),
  write('DELETE', 'project_name=eq.largest&limit=501&order=id'),
  write('DELETE', 'project_name=eq.largest'),
  write('PATCH', `id=in.(${ids(9, 100)})`, json('{"text_0":"x"}')),
  write('PATCH', `id=in.(${ids(9, 100)})`, json('{"state":"s1"}')),
  write('POST', '', json(`{"bid_id":"${idOf(0)}","project_name":"a","text_0":"«a ×2000»"}`, 30)),
  write('POST', '', json(`{"bid_id":"${idOf(0)}","project_name":"a",${texts('\\"', 2000)}}`, 350)),
  write('POST', '', json(`{"bid_id":"${idOf(0)}","project_name":"a",${texts('\\u0001', 4000)}}`, 60)),
  // Reads of large rows.
  read('amount=eq.-5', 'limit=1'),
  read('select=amount.sum()'),
  read('select=id,amount', `id=gte.${idOf(10_000)}`, 'limit=1000'),
  read('order=amount.desc', 'select=id', 'limit=1'),
  // Operators and casts of long texts, in few rows.
  read('select=text_2::numeric,count()', `id=in.(${ids(40)})`, 'limit=1'),
  read('select=text_5::numeric,count()', `id=in.(${ids(70)})`, 'limit=1'),
  read('select=id', `id=in.(${ids(25)})`, 'text_0=phfts.«a ×26»b'),
  read('select=id', `id=in.(${ids(3)})`, 'text_0=phfts.«a ×240»b'),
  read('select=id', `id=in.(${ids(40)})`, 'text_1=like.*«a×490»b*'),
  read('select=id', `id=in.(${ids(1)})`, 'text_3=match.a[ab]{240}[cd]'),
  // Pages of the settings app.
  page('/api/fields/values'),
  page('/api/activity', 'q=«a×1000»b'),
  page('/api/activity', 'q=«a×190»b'),
  page('/api/requests', 'path=«a×150»b'),
  // Documents that nobody else is shown.
  { as: 'narrowed', company: 'large', method: 'GET', path: '/rest/v1/' },
  { as: 'narrowed', company: 'large', method: 'GET', path: '/rest/v1/', copies: 40 },
  {
    ...{ as: 'narrowed', company: 'large', method: 'GET', path: '/rest/v1/', copies: 40 },
    headers: { Accept: { text: 'application/openapi+json;version=2.0' } },
  },
  // What owners change, and what follows.
  setting('POST', `/api/fields/${idOf(20)}/archive`, '{}'),
  setting('PATCH', `/api/fields/${idOf(7)}`, '{"indexed":true}'),
  ...[50, 400].map((lines) => setting('POST', '/api/import/project/check', file(choiceNames, lines))),
  { ...setting('POST', `/api/webhooks/${idOf(3)}/test`, '{}'), copies: 60 },
  // A name that very many bids have.
  {
    as: 'owner',
    method: 'POST',
    path: '/api/import/project/check',
    body: json(`{"text":"«a×255»,x\\n","delimiter":",","columns":["bid_id","project_name"],"first":2}`),
  },
  // One write after which all others wait.
  {
    as: 'credential',
    method: 'PATCH',
    path: '/rest/v1/project',
    query: [{ text: 'project_name=not.is.null' }],
    body: json('{"project_name":"b"}'),
  },
]
