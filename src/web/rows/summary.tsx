import { Anchor, EmptyState, Group, Text } from '@mantine/core'
import type { Resource } from '../api-types.ts'
import { useNamedRow } from '../columns/reference.tsx'
import { nameOf, useResources } from './resources.ts'
import { searchedOf, showAll, type View } from './view.ts'
import { emptyText, labelsOf } from './words.ts'

interface SummaryProps {
  readonly resource: Resource
  readonly view: View
  readonly total: number
}

/** How many rows there are and whose, or what it means that there are none. */
export function Summary({ resource, view, total }: SummaryProps) {
  const { only, search } = view
  const owner = useOwner(view)
  const [title, description] = useEmptyWords(resource, view, owner)
  const all = only && (
    <Anchor component="button" type="button" size="sm" onClick={() => showAll(only.column)}>
      Show all {resource.many}
    </Anchor>
  )
  if (total === 0) {
    return (
      <EmptyState role="status" py="xl" title={title} description={description}>
        {all && <EmptyState.Actions>{all}</EmptyState.Actions>}
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
      {all}
    </Group>
  )
}

/** `the bid “Harbour bridge”`, where the rows of one bid are shown. */
function useOwner({ only }: View): string | null {
  const to = useResources().find(({ name }) => name === only?.column.references) ?? null
  const row = useNamedRow(to, only?.id ?? '')
  return to && (row ? `the ${to.one} “${nameOf(to, row)}”` : `this ${to.one}`)
}

function useEmptyWords(resource: Resource, { search, only }: View, owner: string | null): readonly [string, string] {
  const resources = useResources()
  const { one, many } = resource
  if (search !== '') return ['Nothing found', `No ${one} has “${search}” in its ${labelsOf(searchedOf(resource))}.`]
  if (owner) return [`No ${many} here`, `No ${one} belongs to ${owner}.`]
  if (only) return ['Nothing found', `This ${one} is not there any more.`]
  return [`No ${many} yet`, emptyText(resource, resources)]
}
