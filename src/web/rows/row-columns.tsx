import type { Column, Resource, Row } from '../api-types.ts'
import type { ColumnView } from '../columns/column-view.ts'
import { filterOf, viewOf } from '../columns/column-views.tsx'
import { useLink } from '../session.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { eventViews } from './event-views.tsx'
import { childrenOf, childrenPath, countOf, idOf, nameOf, type Reference, useResources } from './resources.ts'
import { capitalized } from './words.ts'

/** The columns of a resource, and how many rows of others belong to each of its rows. */
export function useRowColumns(resource: Resource): readonly TableColumn<Row>[] {
  const children = childrenOf(resource, useResources())
  const [name, ...others] = inOrder(resource).map((column) => columnOf(resource, column))
  const counts = children.map((reference) => countColumnOf(resource, reference))
  return name ? [name, ...counts, ...others] : counts
}

/**
 * The name first, then what it belongs to and what else people enter, then its id, and what the service notes last.
 * What the service alone writes has its ids, and what no table shows, at the end.
 */
export function inOrder(resource: Resource): readonly Column[] {
  const { columns, naming_column, primary_key } = resource
  const rank = (column: Column): number => {
    const { name, references, writable } = column
    const { isId, isExtra } = viewIn(resource, column)
    const isRead = name !== primary_key && !isId && !isExtra
    return [name === naming_column, references !== null, writable && isRead, writable, isRead, true].indexOf(true)
  }
  return columns.toSorted((one, other) => rank(one) - rank(other))
}

/** How the columns of some resources differ from others of their types. */
const ownViews: Readonly<Record<string, Readonly<Record<string, Partial<ColumnView>>>>> = { event: eventViews }

export const viewIn = (resource: Resource, column: Column): ColumnView => ({
  ...viewOf(column),
  ...ownViews[resource.name]?.[column.name],
})

function columnOf(resource: Resource, column: Column): TableColumn<Row> {
  const { firstOrder, isWide, isExtra, Cell } = viewIn(resource, column)
  const { name, label } = column
  const isName = name === resource.naming_column
  return {
    id: name,
    header: label,
    cell: (row) =>
      isName ? (
        <span className="clamp strong" title={nameOf(resource, row)} dir="auto">
          {nameOf(resource, row)}
        </span>
      ) : (
        <Cell column={column} row={row} isLine />
      ),
    firstOrder: firstOrder ?? undefined,
    filter: filterOf(column),
    isExtra: !isName && (name === resource.primary_key || isExtra),
    isWide: isName || isWide,
  }
}

const countColumnOf = (resource: Resource, reference: Reference): TableColumn<Row> => ({
  id: `${reference.from.name}.${reference.column.name}`,
  header: capitalized(reference.from.many),
  cell: (row) => <CountLink resource={resource} reference={reference} row={row} />,
})

interface CountLinkProps {
  readonly resource: Resource
  readonly reference: Reference
  readonly row: Row
}

/** How many rows belong to this one, which leads to them. */
export function CountLink({ resource, reference, row }: CountLinkProps) {
  const link = useLink()
  const count = countOf(reference, row) ?? 0
  if (count === 0) return '0'
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the link has an address, by `link`.
    <a
      className="link"
      {...link(childrenPath(reference, idOf(resource, row)))}
      aria-label={`${capitalized(reference.from.many)} of ${nameOf(resource, row)}: ${count.toLocaleString('en')}`}
    >
      {count.toLocaleString('en')}
    </a>
  )
}
