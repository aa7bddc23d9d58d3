import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTask } from '../use-task.ts'
import { Dialog } from './dialog.tsx'
import { FailureNotice } from './failure-notice.tsx'

interface ConfirmDialogProps {
  readonly title: string
  readonly action: string
  readonly children: ReactNode
  /** Must be typed before the action can be taken. */
  readonly typed?: string | null
  readonly run: () => Promise<unknown>
  readonly close: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, action, children, typed = null, run, close }: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const task = useTask(async () => {
    await run()
    close()
  })
  const isReady = typed === null || text.trim() === typed.trim()
  return (
    <Dialog close={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) task.start()
        }}
      >
        <Stack>
          {children}
          {typed !== null && (
            <TextInput
              label={
                <>
                  Type <strong>{typed}</strong> to go on
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {task.error !== null && <FailureNotice error={task.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} {...(typed === null ? { 'data-autofocus': true } : {})}>
              Cancel
            </Button>
            <Button type="submit" color="red.9" loading={task.isRunning} disabled={!isReady}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
