import type { Random } from '../random.ts'
import { type Kind, nameOf, type Oracle, type Row, type Test } from './model-oracle.ts'

/** What is shown of each row: columns, and what is embedded. */
export interface Selection {
  readonly kind: Kind
  readonly columns: readonly string[]
  /** All columns, by `*`. */
  readonly isStar: boolean
  readonly embed: {
    readonly selection: Selection
    readonly inner: boolean
    readonly test: Test
    readonly query: string[]
  } | null
}

const other = (kind: Kind): Kind => (kind === 'bid' ? 'project' : 'bid')

export const everything = (oracle: Oracle, kind: Kind): Selection => ({
  ...{ kind, columns: oracle.columns(kind), isStar: true },
  embed: null,
})

/** `foreign` is an id that may be anybody's: to filter by it must find nothing of others. */
export function selection(random: Random, oracle: Oracle, kind: Kind, foreign: () => string): Selection {
  const shown = someColumns(random, oracle, kind)
  if (random.chance(0.6)) return { ...shown, embed: null }
  const inside = other(kind)
  const deep: Selection = { kind, columns: ['id'], isStar: false, embed: null }
  const nested: Selection = {
    ...someColumns(random, oracle, inside),
    embed: random.chance(0.2) ? { selection: deep, inner: false, test: () => true, query: [] } : null,
  }
  const id = foreign()
  const filtered = random.chance(0.4)
  return {
    ...shown,
    embed: {
      selection: nested,
      inner: random.chance(0.4),
      test: filtered ? (row) => row.id === id : () => true,
      query: filtered ? [`${inside}.id=eq.${id}`] : [],
    },
  }
}

function someColumns(random: Random, oracle: Oracle, kind: Kind): Omit<Selection, 'embed'> {
  const all = oracle.columns(kind)
  if (random.chance(0.5)) return { kind, columns: all, isStar: random.chance(0.5) }
  const own = oracle.fields[kind].map(({ name }) => name).filter(() => random.chance(0.4))
  return { kind, columns: ['id', ...own, nameOf(kind), ...(random.chance(0.3) ? ['updated_at'] : [])], isStar: false }
}

/** As it is written in `select`. */
export function textOf({ columns, isStar, embed }: Selection): string {
  const shown = isStar ? '*' : columns.join(',')
  if (!embed) return shown
  return `${shown},${embed.selection.kind}${embed.inner ? '!inner' : ''}(${textOf(embed.selection)})`
}

/** Whether an inner embed leaves the row in. */
export const isLeft = (oracle: Oracle, { embed }: Selection, row: Row): boolean =>
  !embed?.inner || related(oracle, embed, row).length > 0

type Embedded = NonNullable<Selection['embed']>

function related(oracle: Oracle, { selection: { kind }, test }: Embedded, row: Row): Row[] {
  const bid = kind === 'bid' ? oracle.bidOf(row) : null
  const rows = kind === 'bid' ? (bid ? [bid] : []) : oracle.projectsOf(row)
  return rows.filter(test)
}

/** What differs between a row and what is shown of it; null where nothing does. Moments are learned when first seen. */
export function difference(oracle: Oracle, selection: Selection, row: Row, shown: unknown): string | null {
  if (typeof shown !== 'object' || shown === null) return `${JSON.stringify(shown)} is no row`
  const { columns, embed } = selection
  const keys = [...columns, ...(embed ? [embed.selection.kind] : [])]
  if (Object.keys(shown).join() !== keys.join()) return `has ${Object.keys(shown)} in place of ${keys}`
  const values = shown as Record<string, unknown>
  for (const column of columns) {
    const value = values[column]
    if (column in row && row[column] === undefined && typeof value === 'string') row[column] = value
    const wanted = JSON.stringify(row[column] ?? null)
    if (JSON.stringify(value) !== wanted) return `${column} is ${JSON.stringify(value)} in place of ${wanted}`
  }
  return embed ? embedDifference(oracle, embed, row, values[embed.selection.kind]) : null
}

function embedDifference(oracle: Oracle, embed: Embedded, row: Row, shown: unknown): string | null {
  const wanted = related(oracle, embed, row)
  const isOne = embed.selection.kind === 'bid'
  const found = isOne ? (shown === null ? [] : [shown]) : shown
  if (!Array.isArray(found) || found.length !== wanted.length)
    return `embeds ${JSON.stringify(shown)} in place of ${wanted.length}`
  const differences = wanted.map((one, at) => difference(oracle, embed.selection, one, found[at]))
  return differences.find((one) => one !== null) ?? null
}
