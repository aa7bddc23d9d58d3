import { Skeleton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { DataTable } from '../table/data-table.tsx'
import { requestColumns } from './request-table.tsx'

interface RequestTableOutlineProps {
  readonly rows: number
  readonly isOfOne: boolean
}

/** As tall as a table of so many requests, also where they are cards. */
export function RequestTableOutline({ rows, isOfOne }: RequestTableOutlineProps) {
  const columns = requestColumns(isOfOne).map(({ id, header, isWide = false, isSpare }) => ({
    ...{ id, header, isWide, cell: cells[id] ?? (() => lineOf(64)) },
    ...(isSpare && { isSpare }),
  }))
  return (
    <div role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      <div aria-hidden="true">
        <DataTable caption="" columns={columns} rows={Array.from({ length: rows }, (_, at) => at)} rowKey={String} />
      </div>
    </div>
  )
}

const lineOf = (width: number) => (
  <Skeleton width={width} maw="100%">
    &nbsp;
  </Skeleton>
)

/** What is not as tall or as wide as the rest. */
const cells: Readonly<Record<string, () => ReactNode>> = {
  request: () => <div className="request-path">{lineOf(240)}</div>,
}
