import { column, comparison, conditions, nest, order, select } from '../fuzz/fuzz-query.ts'
import type { Random } from '../random.ts'
import type { Body } from './attack-request.ts'

/** A part of a query, of any kind that the dialect has. */
export const newPart = (random: Random): string => random.pick(parts)(random)

const parts: readonly ((random: Random) => string)[] = [
  (random) => {
    const of = column(random)
    return `${of}=${encodeURIComponent(comparison(random, of).toWellFormed())}`
  },
  (random) => `${random.pick(['project_name', 'bid_name'])}=${random.pick(['like', 'ilike'])}.${wild(random)}`,
  (random) => `${random.pick(['project_name', 'bid_name'])}=${random.pick(['match', 'imatch'])}.${nested(random)}`,
  (random) => `project_name=${random.pick(['fts', 'plfts', 'phfts', 'wfts'])}.${'alpha '.repeat(1 + random.below(20))}`,
  (random) => `project_name=like(any).{${random.some(20, () => wild(random)).join(',')}}`,
  (random) => `${random.pick(['or', 'and', 'not.or'])}=${encodeURIComponent(conditions(random).toWellFormed())}`,
  (random) => `select=${encodeURIComponent(select(random).toWellFormed())}`,
  (random) => `select=*,${'bid(*,project(*,'.repeat(random.below(3))}bid(*)${'))'.repeat(random.below(3))}`,
  (random) => `select=${random.pick(['count()', 'project_name,count()', 'bid(bid_name),count()', '*,project(count)'])}`,
  (random) => `order=${order(random)}`,
  (random) => `order=${random.pick(['project_name', 'bid(bid_name)', 'updated_at', 'bid_id'])}.desc`,
  (random) => `${random.pick(['limit', 'offset'])}=${random.pick([1, 70, 1000, 1001, 100_000, 10_000_000])}`,
  (random) => `project.${random.pick(['limit', 'offset'])}=${random.pick([1, 1000, 100_000])}`,
  nest,
]

/** `*a*a*ab`, or one run of letters that almost fits everywhere. */
const wild = (random: Random): string => {
  const part = random.pick(['*a', '*a_', '_*a', '%25a', 'a', 'aa', '_a'])
  return `*${part.repeat(1 + random.below(100))}b`
}

/** `(?:(?:a?){31}){32}` */
function nested(random: Random): string {
  const inner = random.pick(['a?', '(a|aa)', '[^b]*', 'a*', '(?:a{9})?', 'a']).repeat(1 + random.below(40))
  const rounds = Array.from({ length: random.below(4) }, () => 1 + random.below(40))
  return rounds.reduce((within, times) => `(?:${within}){${times}}`, inner) + random.pick(['', 'b', '$', '§'])
}

/** Headers that change what is done, with values for them. */
export const headers: Readonly<Record<string, readonly string[]>> = {
  Prefer: [
    ...['count=exact', 'count=planned', 'timezone=Asia/Tokyo', 'timezone=America/St_Johns', 'return=representation'],
    ...['return=minimal', 'resolution=merge-duplicates', 'handling=strict', 'missing=default', 'max-affected=1000000'],
  ],
  Accept: [
    ...['text/csv', 'application/x-ndjson', 'application/vnd.pgrst.object+json', 'application/json;q=0.1'],
    ...['text/event-stream', 'text/event-stream', 'application/openapi+json;version=2.0'],
  ],
  'Last-Event-ID': ['0', '1', '100'],
  Range: ['0-', '0-99999', '500000-', '19-'],
  'If-None-Match': ['"x"', '*'],
  'If-Match': ['"x"', '*'],
  'Idempotency-Key': ['k-§', 'k-¶', 'k'],
  'Accept-Encoding': ['gzip', 'zstd', 'br'],
}

/** What can be written. */
export const bodies: readonly Body[] = [
  { type: 'application/json', rows: { text: '{"bid_name":"a"}', times: 1000 } },
  {
    type: 'application/json',
    rows: { text: '{"bid_id":"00000000-0000-4000-8000-000000000001","project_name":"a"}', times: 1000 },
  },
  { type: 'application/json', rows: { text: '{"project_name":"b"}' } },
  { type: 'application/json', rows: { text: '{"bid_name":1,"x":[«{},×40»{}]}', times: 1000 } },
  { type: 'application/json', rows: { text: '{"bid_name":1,«"":0,×90»"x":0}', times: 1000 } },
  { type: 'text/csv', head: 'bid_name', rows: { text: '"a""b"', times: 1000 } },
  {
    type: 'text/csv',
    head: 'bid_id,project_name',
    rows: { text: '00000000-0000-4000-8000-000000000001,"a"', times: 1000 },
  },
  { type: 'application/x-www-form-urlencoded', rows: { text: 'bid_name=a', times: 10 } },
]
