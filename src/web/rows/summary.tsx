import { Anchor, EmptyState, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Resource } from '../api-types.ts'
import { useNamedRow } from '../columns/row-picker.tsx'
import { isNarrowed, showAll, type TableView } from '../table/table-view.ts'
import { nameOf, useResources } from './resources.ts'
import { ownerOf, searchedOf } from './view.ts'
import { emptyText, labelsOf } from './words.ts'

interface SummaryProps {
  readonly resource: Resource
  readonly view: TableView
  readonly total: number
  /** The way to the first row. */
  readonly create: ReactNode
}

/** How many rows there are and whose, or what it means that there are none. */
export function Summary({ resource, view, total, create }: SummaryProps) {
  const { search } = view
  const owner = useOwner(resource, view)
  const [title, description] = useEmptyWords(resource, view, owner)
  const isAll = !isNarrowed(view)
  const all = (
    <Anchor component="button" type="button" size="sm" onClick={showAll}>
      Show all {resource.many}
    </Anchor>
  )
  if (total === 0) {
    return (
      <EmptyState role="status" py="xl" w="100%" title={title} description={description}>
        <EmptyState.Actions>{isAll ? create : all}</EmptyState.Actions>
      </EmptyState>
    )
  }
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {total.toLocaleString('en')} {total === 1 ? resource.one : resource.many}
        {owner && ` of ${owner}`}
        {search !== '' && ` with “${search}” in the ${labelsOf(searchedOf(resource))}`}
      </Text>
      {!isAll && all}
    </Group>
  )
}

/** `the bid “Harbour bridge”`, where the rows of one bid are shown. */
function useOwner(resource: Resource, view: TableView): string | null {
  const owner = ownerOf(resource, view)
  const to = useResources().find(({ name }) => name === owner?.column.references) ?? null
  const row = useNamedRow(to, owner?.id ?? '')
  return to && (row ? `the ${to.one} “${nameOf(to, row)}”` : `this ${to.one}`)
}

function useEmptyWords(
  resource: Resource,
  { search, filters }: TableView,
  owner: string | null,
): readonly [string, string] {
  const resources = useResources()
  const { one, many } = resource
  if (search !== '') return ['Nothing found', `No ${one} has “${search}” in its ${labelsOf(searchedOf(resource))}.`]
  if (owner && filters.length === 1) return [`No ${many} here`, `No ${one} belongs to ${owner}.`]
  if (filters.length > 0) return ['Nothing found', `No ${one} is like this.`]
  return [`No ${many} yet`, emptyText(resource, resources)]
}
