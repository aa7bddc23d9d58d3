import type { Random } from '../random.ts'
import { type Expected, type Kind, nameOf, type Oracle, type Test } from './model-oracle.ts'
import type { Selection } from './model-select.ts'

/** A request, and what the oracle says to it. To ask the oracle is to do it there, too. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly kind: Kind
  readonly selection: Selection
  expected(): Expected
}

/** One company, and ids that may be anybody's. */
export interface Scene {
  readonly random: Random
  readonly oracle: Oracle
  foreignId(kind: Kind): string
}

/** Mostly of a row that is there, else of another company's, or of none. */
export function someId({ random, oracle, foreignId }: Scene, kind: Kind): string {
  const own = oracle.ids(kind)
  if (own.length > 0 && random.chance(0.75)) return random.pick(own)
  return random.chance(0.8) ? foreignId(kind) : random.uuid()
}

export const newName = ({ random, oracle }: Scene): string =>
  `${oracle.mark} ${random.pick([...'abcdeABC'])}${random.below(10)}`

export interface Filter {
  readonly query: string
  readonly test: Test
}

export function filter(scene: Scene, kind: Kind): Filter {
  const { random } = scene
  const column = random.pick(kind === 'project' ? ['id', 'id', 'bid_id', nameOf(kind)] : ['id', 'id', nameOf(kind)])
  const value = () => (column === nameOf(kind) ? newName(scene) : someId(scene, column === 'bid_id' ? 'bid' : kind))
  const not = random.chance(0.15)
  const { text, test } = condition(random, value)
  const isFit: Test = (row) => test(row[column] ?? '') !== not
  if (random.chance(0.85)) return { query: `${column}=${not ? 'not.' : ''}${encodeURIComponent(text)}`, test: isFit }
  const id = someId(scene, kind)
  const tree = `(${column}.${not ? 'not.' : ''}${text},id.eq.${id})`
  return { query: `or=${encodeURIComponent(tree)}`, test: (row) => isFit(row) || row.id === id }
}

function condition(
  random: Random,
  value: () => string,
): { readonly text: string; readonly test: (text: string) => boolean } {
  const one = value()
  const many = [one, ...random.some(3, value)]
  return random.pick([
    { text: `eq.${one}`, test: (text: string) => text === one },
    { text: `eq.${one}`, test: (text: string) => text === one },
    { text: `neq.${one}`, test: (text: string) => text !== one },
    { text: `gt.${one}`, test: (text: string) => text > one },
    { text: `gte.${one}`, test: (text: string) => text >= one },
    { text: `lt.${one}`, test: (text: string) => text < one },
    { text: `lte.${one}`, test: (text: string) => text <= one },
    { text: `in.(${many.map((item) => `"${item}"`).join(',')})`, test: (text: string) => many.includes(text) },
    { text: 'is.null', test: () => false },
  ])
}
