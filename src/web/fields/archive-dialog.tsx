import { Text } from '@mantine/core'
import type { Field, FieldValues } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { showUndo } from '../parts/toasts.tsx'
import { useResources } from '../rows/resources.ts'
import { useSend } from '../session.tsx'
import { refreshFields } from './field-dialog.tsx'
import { rowsText } from './field-list.tsx'

interface ArchiveDialogProps {
  readonly field: Field
  readonly values: FieldValues | undefined
  readonly close: () => void
}

export function ArchiveDialog({ field, values, close }: ArchiveDialogProps) {
  const send = useSend()
  const resource = useResources().find(({ name }) => name === field.resource)
  const change = async (what: 'archive' | 'restore') => {
    await send('POST', `/fields/${field.id}/${what}`)
    await refreshFields()
  }
  const run = async () => {
    await change('archive')
    showUndo(`${field.label} is archived.`, () => change('restore'), field.id)
  }
  return (
    <ConfirmDialog title={`Archive ${field.label}?`} action="Archive field" run={run} close={close}>
      <Text>
        Applications that name the column <code>{field.name}</code> are refused from now on. Its values are kept for 30
        days, in which you can restore it with all of them.
      </Text>
      {resource && values && <Text>{rowsText(resource, values[field.id] ?? 0)}.</Text>}
    </ConfirmDialog>
  )
}
