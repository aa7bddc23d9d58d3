import { filter, type Operation, type Scene, someId } from './model-filter.ts'
import { compare, type Expected, type Kind, nameOf, type Row } from './model-oracle.ts'
import { isLeft, selection, textOf } from './model-select.ts'

const queryOf = (parts: readonly string[]): string => (parts.length === 0 ? '' : `?${parts.join('&')}`)
const single = { Accept: 'application/vnd.pgrst.object+json' }

/** A list: filters, order, range, count, embeds, or one object. */
export function list(scene: Scene, kind: Kind): Operation {
  const { random, oracle } = scene
  const shown = selection(random, oracle, kind, () => someId(scene, kind === 'bid' ? 'project' : 'bid'))
  const filters = random.some(2, () => filter(scene, kind))
  const isSingle = random.chance(0.1)
  const isCounted = random.chance(0.3)
  const [offset, limit] = random.chance(0.35) ? [random.below(6), random.below(8)] : [0, null]
  const order = random.some(2, () => someOrder(scene, kind))
  const query = [
    `select=${textOf(shown)}`,
    ...filters.map((one) => one.query),
    ...(shown.embed?.query ?? []),
    ...(order.length > 0 ? [`order=${order.map(({ text }) => text)}`] : []),
    ...(limit === null ? [] : [`limit=${limit}`, `offset=${offset}`]),
  ]
  const expected = (): Expected => {
    const all = oracle
      .matching(kind, (row) => filters.every(({ test }) => test(row)) && isLeft(oracle, shown, row))
      .sort((a, b) => order.reduce((found, term) => found || term.compareRows(a, b), 0))
    const rows = all.slice(offset, limit === null ? undefined : offset + limit)
    if (isSingle && rows.length !== 1) return { status: 406, codes: ['PGRST116'] }
    if (isCounted && offset > all.length) return { status: 416, codes: ['PGRST103'] }
    const range = `${rows.length === 0 ? '*' : `${offset}-${offset + rows.length - 1}`}/${isCounted ? all.length : '*'}`
    return { status: isCounted && rows.length < all.length ? 206 : 200, rows, isObject: isSingle, range }
  }
  const headers = { ...(isCounted ? { Prefer: 'count=exact' } : {}), ...(isSingle ? single : {}) }
  return { method: 'GET', path: `/${kind}${queryOf(query)}`, headers, body: null, kind, selection: shown, expected }
}

interface Order {
  readonly text: string
  compareRows(a: Row, b: Row): number
}

/** Nulls come last, or first where the order is turned round, unless something else is said. */
function someOrder({ random, oracle }: Scene, kind: Kind): Order {
  const own = oracle.fields[kind].filter(({ type }) => type !== 'choices').map(({ name }) => name)
  const column = random.pick(['id', nameOf(kind), ...(kind === 'project' ? ['bid_id'] : []), ...own, ...own])
  const isDown = random.chance(0.5)
  const said = random.pick(['', '.nullsfirst', '.nullslast'])
  const nullsFirst = said === '' ? isDown : said === '.nullsfirst'
  return {
    text: `${column}.${isDown ? 'desc' : 'asc'}${said}`,
    compareRows: (a, b) => {
      const [one, other] = [a[column] ?? null, b[column] ?? null]
      if (one === null || other === null) return one === other ? 0 : (one === null) === nullsFirst ? -1 : 1
      return compare(one, other) * (isDown ? -1 : 1)
    },
  }
}
