import { Badge, Code, Text } from '@mantine/core'
import type { LoggedRequest } from '../api-types.ts'
import { msText } from '../parts/ms-text.ts'
import { When } from '../parts/when.tsx'
import { changeSearch } from '../router.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { readablePath } from './readable-path.ts'

/** Shows all of a request. The address then names it, so that others can be sent there. */
export const openRequest = (id: string): void => changeSearch({ request: id })
export const closeRequest = (): void => changeSearch({ request: null })

const request: TableColumn<LoggedRequest> = {
  id: 'request',
  header: 'Request',
  cell: ({ method, path, left_out, outcome }) => (
    <>
      <span className="request-path" title={`${method} ${readablePath(path)}`}>
        <Code>{method}</Code> <bdi>{readablePath(path)}</bdi>
      </span>
      {left_out > 0 && (
        <Text size="xs" c="dimmed">
          {leftOutText(left_out, outcome)}
        </Text>
      )}
    </>
  ),
  isWide: true,
}

const rest: readonly TableColumn<LoggedRequest>[] = [
  { id: 'status', header: 'Status', cell: (one) => <StatusBadge request={one} /> },
  { id: 'ms', header: 'Took', cell: ({ ms }) => <span className="number no-wrap">{msText(ms)}</span> },
  { id: 'at', header: 'When', cell: ({ at }) => <When at={at} as="clock" /> },
]

const credential: TableColumn<LoggedRequest> = {
  id: 'credential',
  header: 'Credential',
  cell: ({ credential_name }) => (
    <span className="clamp" dir="auto" title={credential_name}>
      {credential_name}
    </span>
  ),
  isWide: true,
  isSpare: true,
}

interface RequestTableProps {
  readonly requests: readonly LoggedRequest[]
  /** Whether all are of one credential. */
  readonly isOfOne: boolean
}

export function RequestTable({ requests, isOfOne }: RequestTableProps) {
  return (
    <DataTable
      caption="Requests, newest first"
      columns={requestColumns(isOfOne)}
      rows={requests}
      rowKey={({ id }) => id}
      open={({ id }) => openRequest(id)}
    />
  )
}

export const requestColumns = (isOfOne: boolean): readonly TableColumn<LoggedRequest>[] =>
  isOfOne ? [request, ...rest] : [request, ...rest, credential]

const colors = { ok: 'green', refused: 'red', not_scoped: 'orange' } as const

export function StatusBadge({ request: { status, code, outcome } }: { readonly request: LoggedRequest }) {
  return (
    <span className="no-wrap">
      <Badge color={colors[outcome]}>{status}</Badge>
      {code !== null && <Code ml={6}>{code}</Code>}
    </span>
  )
}

export const leftOutText = (count: number, outcome: LoggedRequest['outcome']): string =>
  `and ${count.toLocaleString('en')} more ${outcome === 'ok' ? 'that succeeded' : 'that failed'} in the same minute`
