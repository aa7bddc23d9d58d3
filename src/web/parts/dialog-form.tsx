import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { Task } from '../use-task.ts'
import { useTyped } from './dialog.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { type ErrorAt, type Fields, splitFailure } from './field-errors.ts'
import { useInvalidFields } from './invalid-fields.ts'

interface DialogFormProps {
  readonly task: Task
  /** What the button that submits is called. */
  readonly action: string
  /** What could not be done, as the heading of a failure. */
  readonly failed?: string
  readonly cancel: () => void
  /** Those that can show what is wrong with them. */
  readonly fields?: Fields
  /** For what cannot be undone. */
  readonly isGrave?: boolean
  readonly isReady?: boolean
  readonly focusCancel?: boolean
  /** Whether what was typed would be missed. */
  readonly isKept?: boolean
  readonly children: ReactNode | ((errorAt: ErrorAt) => ReactNode)
}

/** The body of a dialog: fields, what went wrong, and two buttons. Enter submits. */
export function DialogForm({ task, action, failed, cancel, fields = {}, children, ...more }: DialogFormProps) {
  const { isGrave = false, isReady = true, focusCancel = false, isKept = true } = more
  const markTyped = useTyped()
  const { errorAt: failureAt, rest } = splitFailure(task.error, fields)
  const invalid = useInvalidFields(fields)
  const errorAt: ErrorAt = (name) => (invalid.words[name] ? { error: invalid.words[name] } : failureAt(name))
  const form = useRef<HTMLFormElement>(null)
  useFocusOnInvalid(form, task.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React passes events on to the form that opened this dialog.
    event.stopPropagation()
    if (isReady) task.start()
  }
  return (
    <form
      onSubmit={submit}
      ref={form}
      onInvalidCapture={invalid.onInvalidCapture}
      onInput={() => {
        invalid.forget()
        if (isKept) markTyped()
      }}
    >
      <Stack>
        {typeof children === 'function' ? children(errorAt) : children}
        {rest !== null && <FailureNotice error={rest} {...(failed === undefined ? {} : { title: failed })} />}
        <Group justify="flex-end" className="dialog-foot">
          <Button variant="default" onClick={cancel} {...(focusCancel ? { 'data-autofocus': true } : {})}>
            Cancel
          </Button>
          <Button type="submit" loading={task.isRunning} disabled={!isReady} {...(isGrave ? { color: 'red.9' } : {})}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Takes the person to the field that has to be changed. */
export function useFocusOnInvalid(form: RefObject<HTMLFormElement | null>, error: unknown): void {
  useEffect(() => {
    if (error === null) return
    const field = form.current?.querySelector('[aria-invalid="true"]')
    if (field instanceof HTMLElement) field.focus()
  }, [form, error])
}
