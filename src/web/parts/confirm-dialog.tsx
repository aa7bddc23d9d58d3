import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTask } from '../use-task.ts'
import { Dialog } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'

interface ConfirmDialogProps {
  readonly title: string
  readonly action: string
  readonly children: ReactNode
  /** Must be typed before the action can be taken. */
  readonly typed?: string | null
  /** Whether it can be undone. */
  readonly isGrave?: boolean
  /** Whether there is anything to do. */
  readonly isReady?: boolean
  readonly run: () => Promise<unknown>
  readonly close: () => void
}

/** Asks before something that should not happen by a slip. */
export function ConfirmDialog({
  title,
  action,
  children,
  typed = null,
  isGrave = true,
  isReady = true,
  run,
  close,
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const task = useTask(async () => {
    await run()
    close()
  })
  const isTyped = typed === null || text.trim() === typed.trim()
  return (
    <Dialog close={close} title={title}>
      <DialogForm
        task={task}
        action={action}
        cancel={close}
        isGrave={isGrave}
        isReady={isReady && isTyped}
        focusCancel={typed === null}
        isKept={false}
      >
        {children}
        {typed !== null && (
          <TextInput
            label={
              <>
                Type <bdi className="strong">{typed}</bdi> to go on
              </>
            }
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
      </DialogForm>
    </Dialog>
  )
}
