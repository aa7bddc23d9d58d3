import { settingsRoutes } from '../../src/settings/route.ts'
import type { Random } from '../random.ts'
import { fieldBody, fieldChange, fieldOrder } from './fuzz-fields.ts'
import { column, ids } from './fuzz-query.ts'
import { bytesOf, type Parts } from './fuzz-request.ts'
import { anyText, mutated, name, oddText } from './fuzz-text.ts'
import { replayBody, webhookBody } from './fuzz-webhooks.ts'

/** Somebody who is signed in, and the ids that there are in their company. */
export interface Account {
  cookie: string
  email: string
  ids: readonly string[]
  uses: number
}

const origin = 'http://fuzz'
const password = 'correct horse battery'
const routes = settingsRoutes.filter(({ path }) => !path.startsWith('/api/auth/') && !path.startsWith('/api/rest/'))
const authRoutes = settingsRoutes.filter(({ path }) => path.startsWith('/api/auth/'))

/** A request for any of the routes behind the settings page, mostly as the page would send it. */
export function settingsRequest(random: Random, account: Account | null): Parts {
  // Sign-in is made to be slow, and limited; too many of them would only show that.
  const route = random.chance(0.005) ? random.pick(authRoutes) : random.pick(routes)
  const method = random.chance(0.97)
    ? route.method
    : random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
  const path = route.path
    .split('/')
    .map((step) => (step.startsWith(':') ? stepOf(random, step, account) : step))
    .join('/')
  const query = random.chance(0.3) ? `?${random.some(3, () => parameter(random)).join('&')}` : ''
  const target = (random.chance(0.98) ? path : encodeURI(mutated(random, path).toWellFormed())) + query
  const body =
    method === 'GET' || method === 'HEAD' ? null : bytesOf(bodyOf(random, account, `${route.method} ${route.path}`))
  const type = random.chance(0.97)
    ? 'application/json'
    : random.pick(['text/plain', 'text/csv', '', 'application/json;charset=utf-16'])
  return {
    method,
    target,
    fields: [...pageFields(random, account), ...(body === null ? [] : [['Content-Type', type] as const])],
    body,
  }
}

/** What a browser sends along from the page. */
export function pageFields(random: Random, account: Account | null): Parts['fields'] {
  const cookie = account === null ? random.pick(['', 'project-api.session_token=x.y', anyText(random)]) : account.cookie
  return [
    ['Cookie', random.chance(0.97) ? cookie : mutated(random, cookie)],
    [
      'Origin',
      random.chance(0.98)
        ? origin
        : random.pick(['null', '', 'http://', 'http://fuzz.other', 'file://', anyText(random)]),
    ],
    [
      'X-Forwarded-For',
      random.chance(0.9)
        ? '10.9.9.9'
        : random.pick(['', ',', '::1', '999.1.1.1, x', anyText(random), 'a'.repeat(5000)]),
    ],
    ...(random.chance(0.05)
      ? [['Sec-Fetch-Site', random.pick(['same-origin', 'none', 'cross-site', 'x'])] as const]
      : []),
    ...(random.chance(0.3) ? [['User-Agent', random.chance(0.9) ? 'fuzz' : `${anyText(random)}é`] as const] : []),
  ]
}

function stepOf(random: Random, step: string, account: Account | null): string {
  if (random.chance(0.05)) return encodeURIComponent(random.pick([oddText(random), anyText(random)]).toWellFormed())
  if (step === ':resource') return random.pick(['bid', 'project', 'nothing'])
  if (step === ':token') return random.pick(['x', 'A'.repeat(43), 'A'.repeat(300), '_-'])
  return random.chance(0.8) && account && account.ids.length > 0 ? random.pick(account.ids) : random.pick(ids)
}

function parameter(random: Random): string {
  const key = random.pick([
    'limit',
    'before',
    'action',
    'actor',
    'outcome',
    'credential',
    'span',
    'select',
    'id',
    'x',
    'limit',
  ])
  const value = random.pick([
    '1',
    '200',
    '201',
    '-1',
    '1e2',
    '',
    random.pick(ids),
    'credential.create',
    'failed',
    'eq.1',
    '%',
    '_',
    anyText(random),
    oddText(random),
    '0x10',
    'Infinity',
  ])
  return `${key}=${random.chance(0.95) ? encodeURIComponent(value.toWellFormed()) : '%zz'}`
}

const moments = [
  '2999-01-01T00:00:00Z',
  '2000-01-01',
  '275760-09-13',
  '+275761-01-01',
  'tomorrow',
  '9999-12-31T23:59:59Z',
  '',
]

/** Parts of files that are imported. */
const files: readonly ((random: Random) => string)[] = [
  (random) => `${name(random)}\n`,
  (random) => `${random.pick(ids)},${name(random)},${anyText(random)}\n`,
  (random) => random.some(20, () => `"${oddText(random)}",${random.pick(ids)}`).join('\r\n'),
  () => 'a,b\n'.repeat(600),
  (random) => mutated(random, 'Name;Bid\n"x ""y""";z\n'),
]

const likely: Readonly<Record<string, (random: Random, account: Account | null) => unknown>> = {
  name,
  email: (random, account) =>
    random.pick([
      `p${random.below(50)}@example.com`,
      account?.email ?? '',
      'a@b',
      'x\u0000@example.com',
      'é@exämple.com',
      `${'a'.repeat(250)}@example.com`,
    ]),
  password: (random) => random.pick([password, password, 'x', '', 'p'.repeat(200), 'пароль пароль']),
  role: (random) => random.pick(['owner', 'developer', 'viewer', 'admin']),
  access: (random) => random.pick(['read', 'read-write', 'write']),
  expires_at: (random) => random.pick([null, ...moments]),
  grace_seconds: (random) => random.pick([0, 3600, 86_400, 604_800, -1, 1.5, '3600']),
  company_id: (random, account) => random.pick([...ids, ...(account?.ids ?? [])]),
  newPassword: (random) => random.pick([password, 'short']),
  currentPassword: (random) => random.pick([password, 'wrong']),
  token: (random) => random.pick(['x', 'A'.repeat(32)]),
  revokeOtherSessions: (random) => random.chance(0.5),
  rememberMe: (random) => random.chance(0.5),
  text: (random) => random.pick(files)(random),
  delimiter: (random) => random.pick([',', ',', ',', ';', '\t', '|', '']),
  columns: (random) =>
    random.pick<unknown>([
      ['bid_name'],
      ['bid_id', 'project_name'],
      ['id', null, 'bid_name'],
      ['created_at'],
      [],
      null,
      'bid_name',
    ]),
  first: (random) => random.pick([1, 1, 501, 0, -1, 1.5, 2 ** 53]),
  skip: (random) => random.pick<unknown>([[], [1], [1, 1, 900], ['1'], null]),
  redirectTo: (random) => random.pick(['/', 'http://other/', '//other', 'javascript:x']),
}
const members = Object.keys(likely)

const likelyFor = (key: string) => (Object.hasOwn(likely, key) ? likely[key] : undefined)

/** Bodies of routes that refuse members they do not know. */
const bodies: Readonly<Record<string, (random: Random, known: readonly string[]) => object>> = {
  'POST /api/fields': fieldBody,
  'PATCH /api/fields/:id': fieldChange,
  'POST /api/fields/order': fieldOrder,
  'POST /api/webhooks': webhookBody,
  'PATCH /api/webhooks/:id': webhookBody,
  'POST /api/webhooks/:id/replay': replayBody,
}

function bodyOf(random: Random, account: Account | null, route: string): string {
  if (random.chance(0.03))
    return random.pick([
      '',
      '{',
      '[]',
      'null',
      '[{}]',
      '{}',
      '"x"',
      '['.repeat(60_000),
      `{"name":"${'x'.repeat(70_000)}"}`,
      anyText(random),
    ])
  const make = random.chance(0.9) ? bodies[route] : undefined
  const text = JSON.stringify(make ? make(random, account?.ids ?? []) : anyBody(random, account))
  return random.chance(0.02) ? mutated(random, text) : text
}

function anyBody(random: Random, account: Account | null): Record<string, unknown> {
  const wanted = random.chance(0.5) ? members : random.some(4, () => random.pick([...members, column(random)]))
  return Object.fromEntries(
    wanted.map((key) => [key, random.chance(0.97) ? (likelyFor(key)?.(random, account) ?? 'x') : strange(random)]),
  )
}

const strange = (random: Random): unknown =>
  random.pick<unknown>([
    null,
    0,
    1e308,
    true,
    [],
    {},
    [['a']],
    { toString: 1 },
    oddText(random),
    anyText(random),
    'x'.repeat(300),
  ])
