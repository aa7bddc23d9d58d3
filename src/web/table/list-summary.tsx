import { Anchor, EmptyState, Group, Text } from '@mantine/core'
import { isNarrowed, showAll, type TableView } from './table-view.ts'

interface ListSummaryProps {
  readonly one: string
  readonly many: string
  readonly total: number
  readonly view: TableView
}

/** How many there are; where a search or a filter leaves none, the way back. */
export function ListSummary({ one, many, total, view }: ListSummaryProps) {
  const all = (
    <Anchor component="button" type="button" size="sm" onClick={showAll}>
      Show all {many}
    </Anchor>
  )
  if (total === 0) {
    return (
      <EmptyState
        role="status"
        py="xl"
        w="100%"
        title="Nothing found"
        description={isNarrowed(view) ? `No ${one} is like this.` : `There are no ${many} here.`}
      >
        {isNarrowed(view) && <EmptyState.Actions>{all}</EmptyState.Actions>}
      </EmptyState>
    )
  }
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {total.toLocaleString('en')} {total === 1 ? one : many}
      </Text>
      {isNarrowed(view) && all}
    </Group>
  )
}
