import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFocusOnInvalid } from '../parts/dialog-form.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { type ErrorAt, type Fields, splitFailure } from '../parts/field-errors.ts'
import { type Task, useTask } from '../use-task.ts'

interface FormProps {
  readonly action: string
  readonly failed: string
  readonly submit: () => Promise<unknown>
  /** Those that can show what is wrong with them. */
  readonly fields?: Fields
  /** Whether it is a part of a page with other things. */
  readonly isInPanel?: true
  readonly children: ReactNode | ((errorAt: ErrorAt) => ReactNode)
}

/** Fields, one button, and what went wrong. Enter submits. */
export function Form({ action, failed, submit, fields = {}, isInPanel, children }: FormProps) {
  const task: Task = useTask(submit)
  const { errorAt, rest } = splitFailure(task.error, fields)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnInvalid(form, task.error)
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        task.start()
      }}
    >
      <Stack>
        {typeof children === 'function' ? children(errorAt) : children}
        {rest !== null && <FailureNotice error={rest} title={failed} />}
        <Button type="submit" loading={task.isRunning} {...(isInPanel ? { mr: 'auto' } : { fullWidth: true })}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

interface FieldProps {
  readonly value: string
  readonly change: (value: string) => void
  readonly error?: string
}

interface EmailFieldProps extends FieldProps {
  readonly readOnly?: boolean
  readonly label?: string
  readonly isFocused?: boolean
}

export function EmailField({ value, change, label = 'E-mail', isFocused = false, ...rest }: EmailFieldProps) {
  return (
    <TextInput
      label={label}
      {...(isFocused ? { 'data-autofocus': true } : {})}
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

export function NameField({ value, change, ...rest }: FieldProps) {
  return (
    <TextInput
      label="Your name"
      name="name"
      autoComplete="name"
      required
      withAsterisk={false}
      maxLength={255}
      dir="auto"
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      {...rest}
    />
  )
}

/** A code of the authenticator app, or a recovery code. It has the focus at once. */
export function CodeField({ value, change, isRecovery, ...rest }: FieldProps & { readonly isRecovery: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <TextInput
      ref={field}
      label={isRecovery ? 'Recovery code' : 'Code'}
      name="code"
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      inputMode={isRecovery ? 'text' : 'numeric'}
      required
      withAsterisk={false}
      maxLength={20}
      classNames={{ input: 'mono' }}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      {...rest}
    />
  )
}

interface PasswordFieldProps extends FieldProps {
  readonly isNew?: boolean
  readonly isFocused?: boolean
  readonly label?: string
}

const passwordLengthMin = 10

export function PasswordField({
  value,
  change,
  isNew = false,
  isFocused,
  label = 'Password',
  ...rest
}: PasswordFieldProps) {
  return (
    <PasswordInput
      label={label}
      name={isNew ? 'new-password' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      withAsterisk={false}
      {...(isNew ? { minLength: passwordLengthMin, description: `At least ${passwordLengthMin} characters.` } : {})}
      {...(isFocused ? { 'data-autofocus': true } : {})}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      {...rest}
    />
  )
}
