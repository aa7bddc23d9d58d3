import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ApiFailure } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { ApiCall } from './api-call.tsx'
import { childrenOf, idOf, nameOf, useResources } from './resources.ts'
import { anyOf, capitalized, oneOf } from './words.ts'

interface DeleteDialogProps {
  readonly resource: Resource
  readonly row: Row
  readonly close: () => void
}

export function DeleteDialog({ resource, row, close }: DeleteDialogProps) {
  const name = nameOf(resource, row)
  const children = childrenOf(resource, useResources())
  const path = `${resource.name}?${resource.primary_key}=eq.${idOf(resource, row)}`
  const send = useSend()
  const run = async () => {
    await send('DELETE', `/rest/${path}`).catch((error: unknown) => {
      throw inWords(error, resource, children)
    })
    await refresh('/rest/', '/overview')
    notifications.show({ message: `${name} is deleted.` })
  }
  return (
    <ConfirmDialog title={`Delete ${name}?`} action={`Delete ${resource.one}`} run={run} close={close}>
      <Text>This {resource.one} is gone for good, for the API as well.</Text>
      {children.length > 0 && (
        <Text size="sm">
          {capitalized(oneOf(resource))} can be deleted once no {anyOf(children.map(({ one }) => one))} belongs to it.
        </Text>
      )}
      <ApiCall method="DELETE" path={path} />
    </ConfirmDialog>
  )
}

/** Says which rows still belong to the one that was to be deleted. */
function inWords(error: unknown, { one }: Resource, children: readonly Resource[]): unknown {
  if (!(error instanceof ApiFailure) || error.code !== '23503') return error
  const child = children.find(({ name }) => error.details?.includes(`"${name}"`))
  if (!child) return error
  const message = `${capitalized(child.many)} belong to this ${one}.`
  const hint = `Delete them first, or give them another ${one}.`
  return new ApiFailure(error.status, error.code, message, null, hint, error.requestId)
}
