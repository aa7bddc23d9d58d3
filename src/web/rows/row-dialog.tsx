import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Column, Resource, Row } from '../api-types.ts'
import { viewOf } from '../columns/column-views.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { ApiCall } from './api-call.tsx'
import { idOf, nameOf } from './resources.ts'
import { bodyOf, enteredColumns, enteredOf } from './row-body.ts'

interface RowDialogProps {
  readonly resource: Resource
  /** Null to create one. */
  readonly row: Row | null
  /** What a new row has from the beginning. */
  readonly start: Row
  readonly close: () => void
}

/** Creates a row, or changes one. */
export function RowDialog({ resource, row, start, close }: RowDialogProps) {
  const columns = enteredColumns(resource)
  const [before] = useState(() => enteredOf(columns, row ?? start))
  const [entered, setEntered] = useState(before)
  const body = bodyOf(columns, entered, row ? before : null)
  const path = row ? `${resource.name}?${resource.primary_key}=eq.${idOf(resource, row)}` : resource.name
  const method = row ? 'PATCH' : 'POST'
  const task = useTask(async () => {
    if (row && Object.keys(body).length === 0) return close()
    const changed = await send<unknown>(method, `/api/rest/${path}`, body)
    if (row && Array.isArray(changed) && changed.length === 0)
      throw new Error(`This ${resource.one} is not there any more.`)
    await refresh('/api/rest/', '/api/overview')
    const name = String(entered[resource.naming_column] ?? `The ${resource.one}`).trim()
    notifications.show({ message: `${name} is ${row ? 'changed' : 'created'}.` })
    close()
  })
  return (
    <Dialog close={close} title={row ? `Edit ${nameOf(resource, row)}` : `New ${resource.one}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          task.start()
        }}
      >
        <Stack>
          {columns.map((column) => {
            const { Field } = viewOf(column)
            const isFocused = column.name === resource.naming_column && (row !== null || column === columns[0])
            return (
              <Field
                key={column.name}
                column={column}
                entered={entered[column.name] ?? ''}
                enter={(value) => setEntered((now) => ({ ...now, [column.name]: value }))}
                input={inputOf(column, row ? !column.nullable : column.needed, isFocused)}
              />
            )
          })}
          <ApiCall method={method} path={path} body={body} />
          {task.error !== null && <FailureNotice error={task.error} title="Could not save it" />}
          <Group justify="flex-end" className="dialog-foot">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={task.isRunning}>
              {row ? 'Save' : `Create ${resource.one}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const inputOf = ({ label, description }: Column, required: boolean, isFocused: boolean) => ({
  label,
  description: required ? description : `${description} Optional.`,
  required,
  withAsterisk: false as const,
  ...(isFocused ? { 'data-autofocus': true as const } : {}),
})
