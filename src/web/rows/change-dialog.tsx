import { NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { Column, Resource, Row } from '../api-types.ts'
import { choiceOf, mayLoseValue } from '../columns/allowed-values.ts'
import type { Entered } from '../columns/column-view.ts'
import { viewOf } from '../columns/column-views.tsx'
import { useNamedRow } from '../columns/row-picker.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { NameList } from '../parts/name-list.tsx'
import { showUndo } from '../parts/toasts.tsx'
import { useTask } from '../use-task.ts'
import { ApiCall } from './api-call.tsx'
import { allowedOf, mayUndo, useChangeRows } from './change-rows.ts'
import { pathOf, wordsFor } from './delete-rows.ts'
import { nameOf, useResources } from './resources.ts'
import { enteredColumns, sentValue } from './row-body.ts'
import { type Other, RowDialog } from './row-dialog.tsx'

interface ChangeDialogProps {
  readonly resource: Resource
  readonly rows: readonly Row[]
  readonly close: () => void
}

/** Gives several rows one value, all of them or none. Those whose state may not become it stay as they are. */
export function ChangeDialog({ resource, rows, close }: ChangeDialogProps) {
  const columns = enteredColumns(resource)
  const [column, setColumn] = useState(columns[1] ?? columns[0])
  const [entered, setEntered] = useState<Entered>('')
  const [other, setOther] = useState<Other | null>(null)
  const change = useChangeRows(resource)
  const task = useTask(async () => {
    if (!column) return
    const value = sentValue(column, entered)
    const changed = allowedOf(column, rows, value)
    const undo = await change(changed, column, value)
    showUndo(`${wordsFor(resource, changed)} changed.`, mayUndo(column, changed, value) ? undo : null)
    close()
  })
  if (!column) return null
  const { Field, empty } = viewOf(column)
  const mayClear = mayLoseValue(column)
  const isChosen = entered.length > 0 || mayClear || empty !== null
  const value = sentValue(column, entered)
  const changed = isChosen ? allowedOf(column, rows, value) : rows
  const refused = rows.filter((row) => !changed.includes(row))
  const isReady = isChosen && changed.length > 0
  const many = countText(resource, changed.length)
  return (
    <Dialog close={close} title={`Change ${countText(resource, rows.length)}`}>
      <DialogForm
        task={task}
        action={value === null && isChosen ? `Clear ${column.label} of ${many}` : `Change ${many}`}
        failed="Could not change them"
        cancel={close}
        fields={{ [column.name]: column.label }}
        isReady={isReady}
      >
        {(errorAt) => (
          <>
            <NativeSelect
              label="Field"
              data={columns.map(({ name, label }) => ({ value: name, label }))}
              value={column.name}
              onChange={(event) => {
                setColumn(columns.find(({ name }) => name === event.currentTarget.value))
                setEntered('')
              }}
            />
            <Field
              key={column.name}
              // Which states may follow is another question for each row.
              column={{ ...column, states: null }}
              entered={entered}
              enter={setEntered}
              createOther={(to, created) => setOther({ resource: to, created })}
              input={{
                label: column.label,
                description: mayClear ? 'Leave it empty to take the value away.' : '',
                required: !mayClear,
                withAsterisk: false,
                ...errorAt(column.name),
              }}
            />
            {refused.length > 0 && <Refused resource={resource} column={column} rows={refused} />}
            {isReady && (
              <>
                <div>
                  <Text size="sm">
                    {column.label} of {many} becomes
                  </Text>
                  <NewValue column={column} value={value} />
                </div>
                <Text size="sm" c="dimmed">
                  {mayUndo(column, changed, value)
                    ? 'You can undo this for some seconds.'
                    : `This cannot be undone: not every ${resource.one} may have its earlier value back.`}
                </Text>
                <ApiCall method="PATCH" path={pathOf(resource, changed)} body={{ [column.name]: value }} />
              </>
            )}
          </>
        )}
      </DialogForm>
      {other && <RowDialog {...other} found={null} close={() => setOther(null)} />}
    </Dialog>
  )
}

const countText = ({ one, many }: Resource, count: number): string => `${count} ${count === 1 ? one : many}`

function NewValue({ column, value }: { readonly column: Column; readonly value: unknown }) {
  const to = useResources().find(({ name }) => name === column.references) ?? null
  const referred = useNamedRow(to, to ? String(value ?? '') : '')
  const { Cell } = viewOf(column)
  if (value === null) return <Text fw={600}>empty</Text>
  if (to) return <Text fw={600}>{referred ? nameOf(to, referred) : '…'}</Text>
  return <Cell column={column} row={{ [column.name]: value }} />
}

/** The rows that stay as they are, and the value that each of them has. */
function Refused({ resource, column, rows }: { resource: Resource; column: Column; rows: readonly Row[] }) {
  const labelOf = (row: Row) =>
    column.choices?.find(({ value }) => value === choiceOf(column, row))?.label ?? 'no value yet'
  return (
    <div>
      <Text size="sm">Not changed, because the transitions of {column.label} do not allow it:</Text>
      <NameList label="Not changed" names={rows.map((row) => `${nameOf(resource, row)}: ${labelOf(row)}`)} />
    </div>
  )
}
