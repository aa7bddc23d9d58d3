import type { Random } from '../random.ts'
import { columnsOf, type Kind, nameOf, type Oracle, type Row, type Test } from './model-oracle.ts'

/** What is shown of each row: columns, and what is embedded. */
export interface Selection {
  readonly kind: Kind
  readonly columns: readonly string[]
  readonly embed: {
    readonly selection: Selection
    readonly inner: boolean
    readonly test: Test
    readonly query: string[]
  } | null
}

const other = (kind: Kind): Kind => (kind === 'bid' ? 'project' : 'bid')

export const everything = (kind: Kind): Selection => ({ kind, columns: columnsOf(kind), embed: null })

/** `foreign` is an id that may be anybody's: to filter by it must find nothing of others. */
export function selection(random: Random, kind: Kind, foreign: () => string): Selection {
  const columns = random.chance(0.5)
    ? columnsOf(kind)
    : ['id', nameOf(kind), ...(random.chance(0.3) ? ['updated_at'] : [])]
  if (random.chance(0.6)) return { kind, columns, embed: null }
  const inside = other(kind)
  const deep = random.chance(0.2)
  const nested: Selection = {
    kind: inside,
    columns: random.chance(0.5) ? columnsOf(inside) : ['id', nameOf(inside)],
    embed: deep
      ? { selection: { kind, columns: ['id'], embed: null }, inner: false, test: () => true, query: [] }
      : null,
  }
  const id = foreign()
  const filtered = random.chance(0.4)
  return {
    kind,
    columns,
    embed: {
      selection: nested,
      inner: random.chance(0.4),
      test: filtered ? (row) => row.id === id : () => true,
      query: filtered ? [`${inside}.id=eq.${id}`] : [],
    },
  }
}

/** As it is written in `select`. */
export function textOf({ columns, embed }: Selection): string {
  if (!embed) return columns.join(',')
  return `${columns.join(',')},${embed.selection.kind}${embed.inner ? '!inner' : ''}(${textOf(embed.selection)})`
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
    if (row[column] === null && typeof values[column] === 'string') row[column] = values[column]
    if (row[column] !== values[column])
      return `${column} is ${JSON.stringify(values[column])} in place of ${row[column]}`
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
