import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Column, Resource, Row } from '../api-types.ts'
import { viewOf } from '../columns/column-views.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
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
  /** Called with a new row. */
  readonly created?: (row: Row) => void
  readonly close: () => void
}

/** A row to be created meanwhile, for this one to refer to. */
type Other = Required<Pick<RowDialogProps, 'resource' | 'created'>>

/** Creates a row, or changes one. */
export function RowDialog({ resource, row, start, created, close }: RowDialogProps) {
  const columns = enteredColumns(resource)
  const [before] = useState(() => enteredOf(columns, row ?? start))
  const [entered, setEntered] = useState(before)
  const body = bodyOf(columns, entered, row ? before : null)
  const path = row ? `${resource.name}?${resource.primary_key}=eq.${idOf(resource, row)}` : resource.name
  const method = row ? 'PATCH' : 'POST'
  const [other, setOther] = useState<Other | null>(null)
  const send = useSend()
  const task = useTask(async () => {
    if (row && Object.keys(body).length === 0) return close()
    const saved = await send<Row | readonly Row[]>(method, `/rest/${path}`, body)
    if (Array.isArray(saved) && saved.length === 0) throw new Error(`This ${resource.one} is not there any more.`)
    await refresh('/rest/', '/overview')
    const name = String(entered[resource.naming_column] ?? `The ${resource.one}`).trim()
    notifications.show({ message: `${name} is ${row ? 'updated' : 'created'}.` })
    if (!row && !Array.isArray(saved)) created?.(saved as Row)
    close()
  })
  return (
    <Dialog close={close} title={row ? `Edit ${nameOf(resource, row)}` : `New ${resource.one}`}>
      <DialogForm
        task={task}
        action={row ? 'Save' : `Create ${resource.one}`}
        failed="Could not save it"
        cancel={close}
        fields={Object.fromEntries(columns.map(({ name, label }) => [name, label]))}
      >
        {(errorAt) => (
          <>
            {columns.map((column, at) => {
              const { Field } = viewOf(column)
              const input = inputOf(column, row ? !column.nullable : column.needed)
              return (
                <Field
                  key={column.name}
                  column={column}
                  entered={entered[column.name] ?? ''}
                  enter={(value) => setEntered((now) => ({ ...now, [column.name]: value }))}
                  createOther={(to, tell) => setOther({ resource: to, created: tell })}
                  input={{ ...input, ...errorAt(column.name), ...(at === 0 ? { 'data-autofocus': true } : {}) }}
                />
              )
            })}
            <ApiCall method={method} path={path} body={body} />
          </>
        )}
      </DialogForm>
      {other && <RowDialog {...other} row={null} start={{}} close={() => setOther(null)} />}
    </Dialog>
  )
}

const inputOf = ({ label, description }: Column, required: boolean) => ({
  label,
  description: required ? description : `${description} Optional.`,
  required,
  withAsterisk: false as const,
})
