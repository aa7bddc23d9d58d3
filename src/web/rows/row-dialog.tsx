import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { getRow, isFailure, type Versioned } from '../api.ts'
import type { Column, Resource, Row } from '../api-types.ts'
import { viewOf } from '../columns/column-views.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { showFailure } from '../parts/toasts.tsx'
import { refresh } from '../queries.ts'
import { apiPath, useHere, useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { ApiCall } from './api-call.tsx'
import { Conflicts } from './conflicts.tsx'
import { idOf, nameOf } from './resources.ts'
import { bodyOf, clashesOf, enteredColumns, enteredOf, type Form, merged } from './row-body.ts'

interface RowDialogProps {
  readonly resource: Resource
  /** The row to change, as it is now; null to create one. */
  readonly found: Versioned<Row> | null
  /** What a new row has from the beginning. */
  readonly start?: Row
  /** Called with a new row. */
  readonly created?: (row: Row) => void
  readonly close: () => void
}

interface EditDialogProps extends Pick<RowDialogProps, 'resource' | 'close'> {
  readonly id: string
}

/** Changes a row. It begins with the row as it is now, which may be newer than the list. */
export function EditDialog({ resource, id, close }: EditDialogProps) {
  const [found, setFound] = useState<Versioned<Row> | null>(null)
  const read = useRead(resource)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when it is opened.
  useEffect(() => {
    read(id).then(setFound, (error: unknown) => {
      showFailure(`Could not open the ${resource.one}`, error)
      close()
    })
  }, [])
  return found && <RowDialog resource={resource} found={found} close={close} />
}

/** Reads a row with its version. */
function useRead(resource: Resource): (id: string) => Promise<Versioned<Row>> {
  const { company } = useHere()
  return async (id) => {
    const found = await getRow<Row>(apiPath(company.id, `/rest/${rowPath(resource, id)}`))
    if (!found) throw new Error(`This ${resource.one} is not there any more.`)
    return found
  }
}

const rowPath = ({ name, primary_key }: Resource, id: string): string => `${name}?${primary_key}=eq.${id}`

/** A row to be created meanwhile, for this one to refer to. */
export type Other = Required<Pick<RowDialogProps, 'resource' | 'created'>>

/** Creates a row, or changes one. */
export function RowDialog({ resource, found, start = {}, created, close }: RowDialogProps) {
  const columns = enteredColumns(resource)
  const [first] = useState(() => enteredOf(columns, found?.row ?? start))
  const [base, setBase] = useState({ found, before: first })
  const [entered, setEntered] = useState(first)
  const [theirs, setTheirs] = useState<Form | null>(null)
  const [other, setOther] = useState<Other | null>(null)
  const read = useRead(resource)
  const send = useSend()
  const row = base.found?.row ?? null
  const body = bodyOf(columns, entered, row ? base.before : null)
  const path = row ? rowPath(resource, idOf(resource, row)) : resource.name
  const method = row ? 'PATCH' : 'POST'

  /** Two people may have opened the same row: what both have changed is for the second to decide. */
  const save = async ({ found: known, before }: typeof base, form: Form): Promise<Row | null> => {
    const changes = bodyOf(columns, form, known ? before : null)
    if (!known) return send<Row>(method, `/rest/${path}`, changes)
    try {
      await send(method, `/rest/${path}`, changes, { 'If-Match': known.version })
      return known.row
    } catch (error) {
      if (!isFailure(error, 'precondition_failed')) throw error
    }
    const newer = await read(idOf(resource, known.row))
    const next = { found: newer, before: enteredOf(columns, newer.row) }
    const mine = merged(columns, { before, entered: form, theirs: next.before })
    setBase(next)
    setEntered(mine)
    if (clashesOf(columns, { before, entered: form, theirs: next.before }).length === 0) return save(next, mine)
    setTheirs(next.before)
    return null
  }

  const task = useTask(async () => {
    if (row && Object.keys(body).length === 0) return close()
    const saved = await save(base, entered)
    if (!saved) return
    await refresh('/rest/', '/overview')
    const name = String(entered[resource.naming_column] ?? `The ${resource.one}`).trim()
    notifications.show({ message: `${name} is ${row ? 'updated' : 'created'}.` })
    if (!row) created?.(saved)
    close()
  })
  const enter = (name: string, value: Form[string]) => setEntered((now) => ({ ...now, [name]: value }))
  return (
    <Dialog close={close} title={found ? `Edit ${nameOf(resource, found.row)}` : `New ${resource.one}`}>
      <DialogForm
        task={task}
        action={theirs ? 'Save mine' : row ? 'Save' : `Create ${resource.one}`}
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
                  row={row}
                  entered={entered[column.name] ?? ''}
                  enter={(value) => enter(column.name, value)}
                  createOther={(to, tell) => setOther({ resource: to, created: tell })}
                  input={{ ...input, ...errorAt(column.name), ...(at === 0 ? { 'data-autofocus': true } : {}) }}
                />
              )
            })}
            {theirs && base.found && (
              <Conflicts columns={columns} row={base.found.row} theirs={theirs} entered={entered} enter={enter} />
            )}
            <ApiCall method={method} path={path} body={body} />
          </>
        )}
      </DialogForm>
      {other && <RowDialog {...other} found={null} close={() => setOther(null)} />}
    </Dialog>
  )
}

const inputOf = ({ label, description }: Column, required: boolean) => ({
  label,
  description: [description === label ? '' : sentence(description), required ? '' : 'Optional.'].join(' ').trim(),
  required,
  withAsterisk: false as const,
})

/** What people write about their own fields often has no full stop. */
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)
