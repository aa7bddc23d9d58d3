import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { type Task, useTask } from '../use-task.ts'

interface FormProps {
  readonly action: string
  readonly failed: string
  readonly submit: () => Promise<unknown>
  /** What is wrong with what was typed, or null. */
  readonly check?: () => string | null
  readonly children: ReactNode
}

/** Fields, one button, and what went wrong. Enter submits. */
export function Form({ action, failed, submit, check, children }: FormProps) {
  const [complaint, setComplaint] = useState<string | null>(null)
  const task: Task = useTask(submit)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const found = check?.() ?? null
        setComplaint(found)
        if (found === null) task.start()
      }}
    >
      <Stack>
        {children}
        {complaint !== null && <FailureNotice error={complaint} title={failed} />}
        {complaint === null && task.error !== null && <FailureNotice error={task.error} title={failed} />}
        <Button type="submit" loading={task.isRunning} fullWidth>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

interface FieldProps {
  readonly value: string
  readonly change: (value: string) => void
}

export function EmailField({ value, change, ...rest }: FieldProps & { readonly readOnly?: boolean }) {
  return (
    <TextInput
      label="E-mail"
      type="email"
      name="email"
      autoComplete="username"
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      {...rest}
    />
  )
}

export function NameField({ value, change }: FieldProps) {
  return (
    <TextInput
      label="Your name"
      name="name"
      autoComplete="name"
      required
      withAsterisk={false}
      maxLength={100}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

interface PasswordFieldProps extends FieldProps {
  readonly isNew?: boolean
  readonly label?: string
}

const passwordLengthMin = 10

export function PasswordField({ value, change, isNew = false, label = 'Password' }: PasswordFieldProps) {
  return (
    <PasswordInput
      label={label}
      name={isNew ? 'new-password' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      withAsterisk={false}
      {...(isNew ? { minLength: passwordLengthMin, description: `At least ${passwordLengthMin} characters.` } : {})}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
    />
  )
}
