import { Anchor, EmptyState } from '@mantine/core'
import { type Filter, filterText } from './filter.ts'
import { changeFilters, type TableView } from './table-view.ts'

interface UnknownFiltersProps {
  readonly many: string
  readonly unknown: readonly Filter[]
  readonly view: TableView
}

/** In the place of rows: all of them would not be what was asked for. */
export function UnknownFilters({ many, unknown, view }: UnknownFiltersProps) {
  const names = unknown.map(({ column }) => `“${column}”`).join(', ')
  const remove = () => changeFilters(view.filters.filter((filter) => !isIn(unknown, filter)))
  return (
    <EmptyState
      role="status"
      py="xl"
      w="100%"
      title="No such column"
      description={`The address asks for ${many} by ${names}, which is no column here.`}
    >
      <EmptyState.Actions>
        <Anchor component="button" type="button" size="sm" onClick={remove}>
          Remove this filter
        </Anchor>
      </EmptyState.Actions>
    </EmptyState>
  )
}

const isIn = (filters: readonly Filter[], wanted: Filter): boolean =>
  filters.some((filter) => filterText(filter) === filterText(wanted))

/** Said where the rows are taken out of the page. */
export const unknownReason = 'A filter is on a column that does not exist. Remove it first.'
