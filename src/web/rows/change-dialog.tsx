import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Row } from '../api-types.ts'
import { RowPicker } from '../columns/row-picker.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { showUndo } from '../parts/toasts.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { ApiCall } from './api-call.tsx'
import { pathOf, wordsFor } from './delete-rows.ts'
import type { Reference } from './resources.ts'

interface ChangeDialogProps {
  readonly reference: Reference
  readonly rows: readonly Row[]
  readonly close: () => void
}

/** Gives several rows another row to belong to, all of them or none. */
export function ChangeDialog({ reference: { from, column, to }, rows, close }: ChangeDialogProps) {
  const [id, setId] = useState('')
  const send = useSend()
  const put = async (some: readonly Row[], value: unknown) => {
    await send('PATCH', `/rest/${pathOf(from, some)}`, { [column.name]: value })
    await refresh('/rest/', '/overview')
  }
  const task = useTask(async () => {
    await put(rows, id)
    showUndo(`${wordsFor(from, rows)} changed.`, async () => {
      for (const [before, some] of Map.groupBy(rows, (row) => row[column.name])) await put(some, before)
    })
    close()
  })
  return (
    <Dialog close={close} title={`Change the ${to.one} of ${rows.length} ${rows.length === 1 ? from.one : from.many}`}>
      <DialogForm
        task={task}
        action="Save"
        failed="Could not change them"
        cancel={close}
        fields={{ [column.name]: column.label }}
        isReady={id !== ''}
      >
        {(errorAt) => (
          <>
            <RowPicker
              to={to}
              id={id}
              change={setId}
              label={column.label}
              description="Type a part of its name."
              required
              withAsterisk={false}
              {...errorAt(column.name)}
            />
            <Text size="sm" c="dimmed">
              You can undo this for some seconds.
            </Text>
            <ApiCall method="PATCH" path={pathOf(from, rows)} body={{ [column.name]: id }} />
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
