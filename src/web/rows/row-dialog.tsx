import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { send } from '../api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { ApiCall } from './api-call.tsx'
import { BidSelect } from './bid-select.tsx'
import type { AnyRow, RowKind } from './resources.ts'

interface RowDialogProps<Row> {
  readonly kind: RowKind<Row>
  /** Null to make a new one. */
  readonly row: Row | null
  readonly close: () => void
}

/** Makes a row, or changes one. */
export function RowDialog<Row extends AnyRow>({ kind, row, close }: RowDialogProps<Row>) {
  const [name, setName] = useState(row ? kind.nameOf(row) : '')
  const [bid, setBid] = useState(row && kind.bidOf ? kind.bidOf(row) : null)
  const body = { ...(kind.bidOf ? { bid_id: bid?.id ?? '' } : {}), [kind.nameColumn]: name.trim() }
  const path = row ? `${kind.resource}?id=eq.${row.id}` : kind.resource
  const method = row ? 'PATCH' : 'POST'
  const task = useTask(async () => {
    const changed = await send<readonly unknown[] | undefined>(method, `/api/rest/${path}`, body)
    if (row && Array.isArray(changed) && changed.length === 0)
      throw new Error(`This ${kind.one} is not there any more.`)
    await refresh(`/api/rest/${kind.resource}`, '/api/overview', '/api/rest/project')
    notifications.show({ message: `${name.trim()} is ${row ? 'changed' : 'created'}.` })
    close()
  })
  return (
    <Dialog close={close} title={row ? `Edit ${kind.nameOf(row)}` : `New ${kind.one}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          task.start()
        }}
      >
        <Stack>
          {kind.bidOf && <BidSelect chosen={bid} choose={setBid} />}
          <TextInput
            label="Name"
            required
            withAsterisk={false}
            maxLength={255}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            {...(kind.bidOf && !row ? {} : { 'data-autofocus': true })}
          />
          <ApiCall method={method} path={path} body={body} />
          {task.error !== null && <FailureNotice error={task.error} title="Could not save it" />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={task.isRunning}>
              {row ? 'Save' : `Create ${kind.one}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
