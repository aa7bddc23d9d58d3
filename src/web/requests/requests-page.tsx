import { Button, EmptyState, Group, NativeSelect, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type FormEvent, useEffect, useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Credential } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Outline } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { changeSearch, usePlace } from '../router.tsx'
import { useAnswer } from '../session.tsx'
import { useLiveRequests } from './live-requests.ts'
import { RequestDialog } from './request-dialog.tsx'
import { isRequestId, noRequestId } from './request-id.ts'
import { closeRequest, openRequest, RequestTable } from './request-table.tsx'

/** What applications ask for, as it happens. */
export function RequestsPage() {
  const { search } = usePlace()
  const [isLive, setLive] = useState(true)
  const filters = filtersIn(search)
  const { newest, shown, loadMore, isLoadingMore } = useLiveRequests({ ...filters, limit: 50, isLive })
  const opened = search.get('request')
  return (
    <Page
      title="Requests"
      lead="The first requests of each credential and minute, for seven days. Bodies and secrets are never kept."
      actions={<Switch label="Live" checked={isLive} onChange={(event) => setLive(event.currentTarget.checked)} />}
    >
      <Stack>
        <Filters {...filters} />
        {newest.error && !shown && (
          <FailureNotice error={newest.error} title="Could not load the requests" retry={() => void newest.refetch()} />
        )}
        {!newest.error && !shown && <Outline lines={8} />}
        {shown?.requests.length === 0 && (
          <NoRequests isOn={shown.is_on} isNarrowed={Object.values(filters).some((value) => value !== null)} />
        )}
        {shown && shown.requests.length > 0 && (
          <RequestTable requests={shown.requests} isOfOne={filters.credential !== null} />
        )}
        {shown?.next && (
          <Group justify="center">
            <Button variant="default" loading={isLoadingMore} onClick={() => void loadMore()}>
              Show more
            </Button>
          </Group>
        )}
      </Stack>
      {opened && <RequestDialog id={opened} close={closeRequest} />}
    </Page>
  )
}

interface NoRequestsProps {
  readonly isOn: boolean
  readonly isNarrowed: boolean
}

export function NoRequests({ isOn, isNarrowed }: NoRequestsProps) {
  if (!isOn)
    return (
      <EmptyState
        py="xl"
        title="The request log is off"
        description="Whoever runs this installation has set REQUEST_LOG=off."
      />
    )
  return (
    <EmptyState
      py="xl"
      title={isNarrowed ? 'No such request' : 'No request yet'}
      description={
        isNarrowed
          ? 'Nothing in the last seven days fits this choice.'
          : 'Call the API with a credential, and the request appears here by itself.'
      }
    />
  )
}

const outcomes = [
  { value: '', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'refused', label: 'Refused' },
  { value: 'not_scoped', label: 'Secret missing or wrong' },
  { value: 'ok', label: 'Succeeded' },
]

const anyOf = (values: readonly string[]) => [{ value: '', label: 'All' }, ...values]
const methods = anyOf(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'])
const statuses = anyOf(
  [200, 201, 204, 206, 304, 400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 416, 429, 500, 503, 504].map(String),
)

const filtersIn = (search: URLSearchParams) => ({
  outcome: search.get('outcome'),
  method: search.get('method'),
  status: search.get('status'),
  path: search.get('path'),
  credential: search.get('credential'),
})

function Filters({ outcome, method, status, path, credential }: ReturnType<typeof filtersIn>) {
  const { data } = useAnswer<RowPage<Credential>>('/credentials', {}, getRows)
  const credentials = (data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Group align="flex-start">
      <NativeSelect
        label="Outcome"
        value={outcome ?? ''}
        onChange={(event) => changeSearch({ outcome: event.currentTarget.value })}
        data={outcomes}
      />
      <NativeSelect
        label="Method"
        value={method ?? ''}
        onChange={(event) => changeSearch({ method: event.currentTarget.value })}
        data={methods}
      />
      <NativeSelect
        label="Status"
        value={status ?? ''}
        onChange={(event) => changeSearch({ status: event.currentTarget.value })}
        data={statuses}
      />
      <PathField path={path ?? ''} />
      <Select
        label="Credential"
        w={240}
        maw="100%"
        searchable
        clearable
        placeholder="All"
        value={credential}
        onChange={(value) => changeSearch({ credential: value })}
        data={credentials}
        limit={100}
        nothingFoundMessage="No credential has this in its name."
      />
      <FindRequest />
    </Group>
  )
}

function PathField({ path }: { readonly path: string }) {
  const [text, setText] = useState(path)
  // A link or the way back changes what is searched for, too.
  useEffect(() => setText(path), [path])
  const search = useDebouncedCallback((typed: string) => changeSearch({ path: typed }, 'replace'), 250)
  return (
    <TextInput
      label="Path contains"
      placeholder="/project"
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}

/** By the id that every answer has in X-Request-Id. */
function FindRequest() {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const find = (event: FormEvent) => {
    event.preventDefault()
    const id = text.trim().toLowerCase()
    if (id === '') return
    setWrong(!isRequestId(id))
    if (isRequestId(id)) openRequest(id)
  }
  return (
    <form onSubmit={find}>
      <TextInput
        label="Request id"
        placeholder="X-Request-Id"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setWrong(false)
        }}
        {...(isWrong ? { error: noRequestId } : {})}
      />
    </form>
  )
}
