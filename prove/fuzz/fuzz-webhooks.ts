import type { Random } from '../random.ts'
import { column, comparison } from './fuzz-query.ts'
import { anyText, moment } from './fuzz-text.ts'

/** Nobody listens there, so no delivery leaves the machine. */
export const closedUrl = 'http://127.0.0.1:9/hook'

const refusedUrls = [
  ...['http://example.com/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://user:pass@127.0.0.1/'],
  ...['https://0x7f.1/', 'https://hook.invalid/', 'ftp://127.0.0.1/', 'http://127.0.0.1:99999/', 'https://', '', 'x'],
]

const types = [
  null,
  ['project.created'],
  ['project.updated', 'bid.deleted'],
  ['bid.created', 'bid.updated'],
  [],
  ['nothing.created'],
  ['project.created', 'project.created'],
  'project.created',
  [null],
]

/** What an owner sends to make or change an endpoint. */
export function webhookBody(random: Random): Record<string, unknown> {
  return {
    url: random.chance(0.85) ? closedUrl : random.pick([...refusedUrls, anyText(random)]),
    ...(random.chance(0.5) ? { types: random.pick(types) } : {}),
    ...(random.chance(0.5) ? { filter: filterOf(random) } : {}),
    ...(random.chance(0.1) ? { enabled: random.pick<unknown>([true, false, 'yes', null]) } : {}),
  }
}

function filterOf(random: Random): unknown {
  const name = column(random)
  return random.mostly<unknown>(
    [`${name}=${comparison(random, name)}`, 'id=not.is.null', null],
    ['', 'select=*', 'limit=1', '=', 'and=(', anyText(random), 7],
  )
}

export const replayBody = (random: Random): Record<string, unknown> => ({ since: moment(random) })
