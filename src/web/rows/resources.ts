import type { Column, Resource, Row } from '../api-types.ts'
import { useAnswer } from '../session.tsx'

/** Every resource that the service defines, each after those that it refers to. */
export const useResourcesQuery = () =>
  useAnswer<readonly Resource[]>('/resources', { staleTime: Number.POSITIVE_INFINITY })

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

/** The resources whose rows belong to rows of this one. */
export const childrenOf = (resource: Resource, resources: readonly Resource[]): readonly Resource[] => [
  ...new Set(
    referencesIn(resources)
      .filter(({ to }) => to === resource)
      .map(({ from }) => from),
  ),
]

export const idOf = ({ primary_key }: Resource, row: Row): string => String(row[primary_key])
export const nameOf = ({ naming_column }: Resource, row: Row): string => String(row[naming_column])

/** `*,bid:bid_id(bid_name)`: all columns, and the names of the rows that they refer to. */
export const selectOf = (resource: Resource, resources: readonly Resource[]): string =>
  [
    '*',
    ...referencesIn(resources)
      .filter(({ from }) => from === resource)
      .map(({ column, to }) => `${embedKeyOf(column)}:${column.name}(${to.naming_column})`),
  ].join(',')

/** The row that a column refers to, as far as the list has it; null where there is none. */
export const referredBy = (column: Column, row: Row): Row | null => (row[embedKeyOf(column)] as Row | null) ?? null

const embedKeyOf = ({ name }: Column): string => (name.endsWith('_id') ? name.slice(0, -3) : `${name}_row`)
