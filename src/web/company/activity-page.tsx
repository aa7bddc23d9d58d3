import { keepPreviousData } from '@tanstack/react-query'
import type { ActivityPage as Answer, AuditEvent } from '../api-types.ts'
import { DownloadButton } from '../parts/download-button.tsx'
import { Page } from '../parts/page.tsx'
import { apiPath, useAnswer, useHere } from '../session.tsx'
import { dayStart, type Filter } from '../table/filter.ts'
import { ListSummary } from '../table/list-summary.tsx'
import { ListTable } from '../table/list-table.tsx'
import { openRow, pageSize, type TableView, unknownFilters, useTableView } from '../table/table-view.ts'
import { unknownReason } from '../table/unknown-filters.tsx'
import { EventPanel, eventColumns } from './event-columns.tsx'

/** The log has no bound, so the server searches, filters and sorts it. */
export function ActivityPage() {
  const { company } = useHere()
  const view = useTableView()
  const narrowed = queryOf(view)
  const offset = (view.page - 1) * pageSize
  const path = `/activity?limit=${pageSize}&offset=${offset}&${narrowed}`
  const activity = useAnswer<Answer>(path, { placeholderData: keepPreviousData })
  return (
    <Page
      title="Activity"
      lead="Who did what to credentials, members and the company. Entries are never deleted."
      actions={
        <DownloadButton
          href={apiPath(company.id, `/activity.csv?${narrowed}`)}
          because={unknownFilters(eventColumns, view).length > 0 ? unknownReason : null}
        >
          Download CSV
        </DownloadButton>
      }
    >
      <ListTable
        query={activity}
        pick={({ events, total }) => ({ rows: events, total })}
        one="entry"
        many="entries"
        columns={eventColumns}
        view={{ ...view, sort: view.sort ?? { column: 'created_at', direction: 'desc' } }}
        rowKey={({ id }) => id}
        nameOf={({ actor, action }) => `${actor} ${action}`}
        searched="person, target or address"
        menu={menuOf}
        panel={(id, close) => {
          const event = activity.data?.events.find((one) => one.id === id)
          return event && <EventPanel event={event} close={close} />
        }}
        summary={(total) => <ListSummary one="entry" many="entries" total={total} view={view} />}
      />
    </Page>
  )
}

const menuOf = ({ id, request_id }: AuditEvent) => [
  { label: 'Details', icon: 'info' as const, run: () => openRow(id) },
  {
    label: 'Copy request id',
    icon: 'copy' as const,
    run: () => void navigator.clipboard?.writeText(request_id ?? ''),
    refusal: request_id === null ? 'It came from the command line.' : null,
  },
]

function queryOf({ search, filters, sort }: TableView): string {
  const query = new URLSearchParams()
  if (search.trim() !== '') query.set('q', search.trim())
  for (const filter of filters) {
    const [name, value] = parameterOf(filter)
    if (value) query.set(name, value)
  }
  if (sort?.direction === 'asc') query.set('order', 'asc')
  return query.toString()
}

/** `created_at.gte.2026-01-31` → `since`, and the moment at which that day begins where the reader is. */
function parameterOf({ column, operator, value }: Filter): readonly [string, string] {
  if (column !== 'created_at') return [column, value]
  const time = dayStart(value)
  return [operator === 'gte' ? 'since' : 'until', Number.isNaN(time) ? '' : new Date(time).toISOString()]
}
