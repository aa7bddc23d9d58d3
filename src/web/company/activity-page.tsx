import { Button, EmptyState, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../api.ts'
import type { ActivityPage as Answer } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Outline } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { changeSearch, usePlace } from '../router.tsx'
import { apiPath, useHere } from '../session.tsx'
import { actions } from './actions.ts'
import { EventsTable } from './events-table.tsx'

export function ActivityPage() {
  const { company } = useHere()
  const { search } = usePlace()
  const filters = filtersOf(search)
  const path = `/activity?limit=50&${filters}`
  const activity = useInfiniteQuery({
    queryKey: ['company', company.id, path],
    queryFn: ({ pageParam }) =>
      get<Answer>(apiPath(company.id, pageParam === null ? path : `${path}&before=${pageParam}`)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // What was found before stays on the screen until the filter has found something else.
    placeholderData: keepPreviousData,
  })
  const events = activity.data?.pages.flatMap((page) => page.events)
  return (
    <Page
      title="Activity"
      lead="Who did what to credentials, members and the company. Entries are never deleted."
      actions={
        <Button component="a" variant="default" href={apiPath(company.id, `/activity.csv?${filters}`)} download>
          Download CSV
        </Button>
      }
    >
      <Stack>
        <Filters action={search.get('action') ?? ''} actor={search.get('actor') ?? ''} />
        {activity.error && !events && (
          <FailureNotice
            error={activity.error}
            title="Could not load the activity"
            retry={() => void activity.refetch()}
          />
        )}
        {!activity.error && !events && <Outline lines={8} />}
        {events?.length === 0 && (
          <EmptyState
            py="xl"
            title="Nothing to show"
            description={search.size === 0 ? 'Nothing has happened yet.' : 'Nothing like this has happened.'}
          />
        )}
        {events && events.length > 0 && <EventsTable events={events} />}
        {activity.hasNextPage && (
          <Group justify="center">
            <Button
              variant="default"
              loading={activity.isFetchingNextPage}
              onClick={() => void activity.fetchNextPage()}
            >
              Show more
            </Button>
          </Group>
        )}
      </Stack>
    </Page>
  )
}

function filtersOf(search: URLSearchParams): string {
  const filters = new URLSearchParams()
  for (const name of ['action', 'actor']) {
    const value = search.get(name)
    if (value) filters.set(name, value)
  }
  return filters.toString()
}

const actionOptions = [
  { value: '', label: 'Everything' },
  ...Object.entries(actions).map(([action, words]) => ({ value: action, label: words })),
]

function Filters({ action, actor }: { readonly action: string; readonly actor: string }) {
  const [text, setText] = useState(actor)
  const search = useDebouncedCallback((value: string) => changeSearch({ actor: value.trim() }, 'replace'), 300)
  return (
    <Group align="flex-end">
      <NativeSelect
        label="What"
        value={action}
        onChange={(event) => changeSearch({ action: event.currentTarget.value })}
        data={actionOptions}
      />
      <TextInput
        label="Who"
        type="search"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
    </Group>
  )
}
