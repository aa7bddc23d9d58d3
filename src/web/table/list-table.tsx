import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { RowPage } from '../api.ts'
import { useChanges } from '../live/use-changes.ts'
import { Loaded } from '../parts/loaded.tsx'
import { DataTable } from './data-table.tsx'
import { Pages } from './pages.tsx'
import type { RowAction } from './row-menu.tsx'
import { useSelection } from './selection.ts'
import type { TableColumn } from './table-column.ts'
import { openRow, shownColumns, type TableView, unknownFilters } from './table-view.ts'
import { Toolbar } from './toolbar.tsx'
import { UnknownFilters } from './unknown-filters.tsx'

export interface ListTableProps<Answer, Row> {
  readonly query: UseQueryResult<Answer, Error>
  /** The page of rows that an answer has. */
  readonly pick: (answer: Answer) => RowPage<Row>
  readonly one: string
  readonly many: string
  readonly columns: readonly TableColumn<Row>[]
  readonly view: TableView
  readonly rowKey: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** What the search looks into, in words; null where it cannot be searched. */
  readonly searched: string | null
  readonly menu?: (row: Row) => readonly RowAction[]
  /** What can be done with several rows at once; none where nothing can. */
  readonly bulk?: readonly BulkAction<Row>[]
  /** All of a row, beside the table. */
  readonly panel: (key: string, close: () => void) => ReactNode
  /** Whose changes are shown as they happen: the resource of the rows, and those that are counted in them. */
  readonly follows?: { readonly resource: string; readonly counted: readonly string[] }
  /** Above the table, in the line of the search. */
  readonly tabs?: ReactNode
  /** Below it: how many rows there are, or what it means that there are none. */
  readonly summary: (total: number) => ReactNode
  readonly footer?: ReactNode
}

/** Something that can be done with the rows that are ticked. */
export interface BulkAction<Row> {
  readonly label: string
  readonly isGrave?: boolean
  run(rows: readonly Row[]): void
}

/** The one table of the app: search, filters, order, columns, pages, selection, and a panel for one row. */
export function ListTable<Answer, Row>(props: ListTableProps<Answer, Row>) {
  const { query, many, pick } = props
  const unknown = unknownFilters(props.columns, props.view)
  const found = query.data === undefined || unknown.length > 0 ? null : pick(query.data)
  const rows = found?.rows ?? []
  const selection = useSelection(rows.map(props.rowKey))
  const selected = rows.filter((row) => selection.keys.has(props.rowKey(row)))
  const isPage = rows.length < (found?.total ?? 0)
  const close = () => openRow(null)
  // What is ticked stays where it is.
  const changes = useChanges({
    ...(props.follows ?? { resource: null }),
    isHeld: selected.length > 0,
    readAt: query.dataUpdatedAt,
  })

  return (
    <Stack gap="sm" ref={useStartOnNewPage(props.view.page)} className="list-table">
      <Toolbar
        many={many}
        searched={props.searched}
        columns={props.columns}
        view={props.view}
        {...(selected.length > 0
          ? { selected: <Selected rows={selected} isPage={isPage} {...props} {...selection} /> }
          : {})}
      >
        {props.tabs}
      </Toolbar>
      {changes.isBehind && <NewerRows many={many} show={changes.show} />}
      {unknown.length > 0 ? (
        <UnknownFilters many={many} unknown={unknown} view={props.view} />
      ) : (
        <Loaded query={query} what={`the ${many}`} lines={8}>
          {() => (
            <>
              {rows.length > 0 && (
                <DataTable
                  caption={`${many}, page ${props.view.page}`}
                  columns={shownColumns(props.columns, props.view)}
                  rows={rows}
                  rowKey={props.rowKey}
                  nameOf={props.nameOf}
                  sort={props.view.sort}
                  selection={props.bulk?.length ? selection : null}
                  menu={props.menu}
                  open={(row) => openRow(props.rowKey(row))}
                />
              )}
              <div className="table-foot">
                {props.summary(found?.total ?? 0)}
                <Pages view={props.view} total={found?.total ?? 0} />
              </div>
              {props.footer}
            </>
          )}
        </Loaded>
      )}
      {props.view.open !== null && props.panel(props.view.open, close)}
    </Stack>
  )
}

/** Another page begins with its first row. */
function useStartOnNewPage(page: number): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current !== page) list.current?.scrollIntoView()
    shown.current = page
  }, [page])
  return list
}

interface SelectedProps<Row> {
  readonly rows: readonly Row[]
  /** Whether there are further rows on other pages. */
  readonly isPage: boolean
  readonly bulk?: readonly BulkAction<Row>[]
  readonly clear: () => void
}

/** How many rows are ticked, and what can be done with them. */
function Selected<Row>({ rows, isPage, bulk = [], clear }: SelectedProps<Row>) {
  return (
    <>
      <Text size="sm" fw={600} role="status">
        {rows.length} selected{isPage && ' on this page'}
      </Text>
      {bulk.map(({ label, isGrave, run }) => (
        <Button
          key={label}
          size="xs"
          variant={isGrave ? 'filled' : 'default'}
          {...(isGrave ? { color: 'red.9' } : {})}
          onClick={() => run(rows)}
        >
          {label}
        </Button>
      ))}
      <Button size="xs" variant="subtle" onClick={clear}>
        Clear the selection
      </Button>
    </>
  )
}

/** Others have changed rows meanwhile: whoever has ticked some decides when they move. */
function NewerRows({ many, show }: { readonly many: string; readonly show: () => void }) {
  return (
    <Text size="sm" role="status">
      The {many} have changed.{' '}
      <Anchor component="button" type="button" size="sm" onClick={show}>
        Show the changes
      </Anchor>
    </Text>
  )
}
