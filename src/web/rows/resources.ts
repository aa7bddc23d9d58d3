import type { Column, Resource, Row } from '../api-types.ts'
import { useAnswer } from '../session.tsx'

/** Every resource that the service defines, each after those that it refers to. */
export const useResourcesQuery = () => useAnswer<readonly Resource[]>('/resources', { staleTime: 60_000 })

/** The same; none until they are known. */
export const useResources = (): readonly Resource[] => useResourcesQuery().data ?? []

/** A column of one resource that names rows of another. */
export interface Reference {
  readonly from: Resource
  readonly column: Column
  readonly to: Resource
}

/** `project.bid_id` → bid, and so on: how the rows of all resources belong together. */
export const referencesIn = (resources: readonly Resource[]): readonly Reference[] =>
  resources.flatMap((from) =>
    from.columns.flatMap((column) => {
      const to = resources.find(({ name }) => name === column.references)
      return to ? [{ from, column, to }] : []
    }),
  )

/** The columns of other resources whose rows belong to rows of this one. */
export const childrenOf = (resource: Resource, resources: readonly Resource[]): readonly Reference[] =>
  referencesIn(resources).filter(({ to }) => to === resource)

/** Where the rows are that belong to a row. */
export const childrenPath = ({ from, column }: Reference, id: string): string =>
  `${from.path}?where=${column.name}.eq.${id}`

/** How many of them there are, as far as the list has it. */
export function countOf(reference: Reference, row: Row): number | null {
  const [counted] = (row[countKeyOf(reference)] as readonly { readonly count: number }[] | undefined) ?? []
  return counted?.count ?? null
}

const countKeyOf = ({ from, column }: Reference): string => `${from.name}_by_${column.name}`

export const idOf = ({ primary_key }: Resource, row: Row): string => String(row[primary_key])
export const nameOf = ({ naming_column }: Resource, row: Row): string => String(row[naming_column])

/**
 * `*,bid:bid_id(bid_name)`: all columns, the names of the rows that they refer to, and how many rows of others refer to
 * them: `project_by_bid_id:project!bid_id(count)`
 */
export const selectOf = (resource: Resource, resources: readonly Resource[]): string =>
  [
    '*',
    ...referencesIn(resources)
      .filter(({ from }) => from === resource)
      .map(({ column, to }) => `${embedKeyOf(column)}:${column.name}(${to.naming_column})`),
    ...childrenOf(resource, resources).map(
      (reference) => `${countKeyOf(reference)}:${reference.from.name}!${reference.column.name}(count)`,
    ),
  ].join(',')

/** The row that a column refers to, as far as the list has it; null where there is none. */
export const referredBy = (column: Column, row: Row): Row | null => (row[embedKeyOf(column)] as Row | null) ?? null

const embedKeyOf = ({ name }: Column): string => (name.endsWith('_id') ? name.slice(0, -3) : `${name}_row`)
