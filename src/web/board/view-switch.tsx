import { NativeSelect } from '@mantine/core'
import type { Column, Resource } from '../api-types.ts'
import { changeSearch, usePlace } from '../router.tsx'

/** The columns that rows can be put into lanes by. */
const laneColumns = ({ columns, read_only }: Resource): readonly Column[] =>
  read_only ? [] : columns.filter(({ type, choices, writable }) => type === 'choice' && choices !== null && writable)

/** The column of the board that the address names; null for the table. */
export function useBoardColumn(resource: Resource): Column | null {
  const { search } = usePlace()
  return laneColumns(resource).find(({ name }) => name === search.get('board')) ?? null
}

/** Table, or board by a choice. Nothing where there is no choice to put rows by. */
export function ViewSwitch({ resource }: { readonly resource: Resource }) {
  const columns = laneColumns(resource)
  const chosen = useBoardColumn(resource)
  if (columns.length === 0) return null
  return (
    <NativeSelect
      size="xs"
      aria-label="View"
      data={[
        { value: '', label: 'Table' },
        ...columns.map(({ name, label }) => ({ value: name, label: `Board by ${label}` })),
      ]}
      value={chosen?.name ?? ''}
      onChange={(event) => changeSearch({ board: event.currentTarget.value, page: null })}
    />
  )
}
