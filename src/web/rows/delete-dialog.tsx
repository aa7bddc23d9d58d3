import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiFailure, isFailure, send } from '../api.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { refresh } from '../queries.ts'
import { ApiCall } from './api-call.tsx'
import type { AnyRow, RowKind } from './resources.ts'

interface DeleteDialogProps<Row> {
  readonly kind: RowKind<Row>
  readonly row: Row
  readonly close: () => void
}

export function DeleteDialog<Row extends AnyRow>({ kind, row, close }: DeleteDialogProps<Row>) {
  const name = kind.nameOf(row)
  const path = `${kind.resource}?id=eq.${row.id}`
  const run = async () => {
    await send('DELETE', `/api/rest/${path}`).catch((error: unknown) => {
      throw isFailure(error, '23503') && error instanceof ApiFailure ? stillUsed(error) : error
    })
    await refresh(`/api/rest/${kind.resource}`, '/api/overview')
    notifications.show({ message: `${name} is deleted.` })
  }
  return (
    <ConfirmDialog title={`Delete ${name}?`} action={`Delete ${kind.one}`} run={run} close={close}>
      <Text>This {kind.one} is gone for good, for the API as well.</Text>
      {kind.resource === 'bid' && <Text size="sm">A bid can be deleted once no project belongs to it.</Text>}
      <ApiCall method="DELETE" path={path} />
    </ConfirmDialog>
  )
}

const stillUsed = ({ status, code, requestId }: ApiFailure): ApiFailure =>
  new ApiFailure(
    status,
    code,
    'Projects belong to this bid.',
    null,
    'Delete them first, or give them another bid.',
    requestId,
  )
