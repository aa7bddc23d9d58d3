import { type ReactNode, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { PasswordField } from '../sign-in/form.tsx'
import { useTask } from '../use-task.ts'

interface PasswordDialogProps {
  readonly title: string
  readonly action: string
  readonly isGrave?: boolean
  /** Whether everything else is filled in. */
  readonly isReady?: boolean
  /** Whether fields come before the password. The first one has the focus. */
  readonly hasFields?: boolean
  readonly run: (password: string) => Promise<unknown>
  readonly close: () => void
  readonly children: ReactNode
}

/** Asks for the password before something that a stranger at the person's screen must not do. */
export function PasswordDialog({
  title,
  action,
  hasFields = false,
  run,
  close,
  children,
  ...more
}: PasswordDialogProps) {
  const [password, setPassword] = useState('')
  const task = useTask(() => run(password))
  return (
    <Dialog title={title} close={close}>
      <DialogForm
        task={task}
        action={action}
        cancel={close}
        fields={{ email: 'E-mail', password: 'Password' }}
        {...more}
      >
        {(errorAt) => (
          <>
            {children}
            <PasswordField value={password} change={setPassword} isFocused={!hasFields} {...errorAt('password')} />
          </>
        )}
      </DialogForm>
    </Dialog>
  )
}
