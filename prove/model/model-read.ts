import { filter, type Operation, type Scene, someId } from './model-filter.ts'
import { columnsOf, compare, type Expected, type Kind } from './model-oracle.ts'
import { isLeft, selection, textOf } from './model-select.ts'

const queryOf = (parts: readonly string[]): string => (parts.length === 0 ? '' : `?${parts.join('&')}`)
const single = { Accept: 'application/vnd.pgrst.object+json' }

/** A list: filters, order, range, count, embeds, or one object. */
export function list(scene: Scene, kind: Kind): Operation {
  const { random, oracle } = scene
  const shown = selection(random, kind, () => someId(scene, kind === 'bid' ? 'project' : 'bid'))
  const filters = random.some(2, () => filter(scene, kind))
  const isSingle = random.chance(0.1)
  const isCounted = random.chance(0.3)
  const [offset, limit] = random.chance(0.35) ? [random.below(6), random.below(8)] : [0, null]
  const order = random.some(2, () => ({
    column: random.pick(columnsOf(kind).slice(0, -2)),
    isDown: random.chance(0.5),
  }))
  const query = [
    `select=${textOf(shown)}`,
    ...filters.map((one) => one.query),
    ...(shown.embed?.query ?? []),
    ...(order.length > 0 ? [`order=${order.map(({ column, isDown }) => `${column}.${isDown ? 'desc' : 'asc'}`)}`] : []),
    ...(limit === null ? [] : [`limit=${limit}`, `offset=${offset}`]),
  ]
  const expected = (): Expected => {
    const all = oracle
      .matching(kind, (row) => filters.every(({ test }) => test(row)) && isLeft(oracle, shown, row))
      .sort((a, b) =>
        order.reduce(
          (found, { column, isDown }) => found || compare(a[column] ?? '', b[column] ?? '') * (isDown ? -1 : 1),
          0,
        ),
      )
    const rows = all.slice(offset, limit === null ? undefined : offset + limit)
    if (isSingle && rows.length !== 1) return { status: 406, code: 'PGRST116' }
    if (isCounted && offset > all.length) return { status: 416, code: 'PGRST103' }
    const range = `${rows.length === 0 ? '*' : `${offset}-${offset + rows.length - 1}`}/${isCounted ? all.length : '*'}`
    return { status: isCounted && rows.length < all.length ? 206 : 200, rows, isObject: isSingle, range }
  }
  const headers = { ...(isCounted ? { Prefer: 'count=exact' } : {}), ...(isSingle ? single : {}) }
  return { method: 'GET', path: `/${kind}${queryOf(query)}`, headers, body: null, kind, selection: shown, expected }
}
