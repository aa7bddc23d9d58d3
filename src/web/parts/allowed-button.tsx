import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { Role } from '../api-types.ts'
import { useRefusal } from '../session.tsx'

interface AllowedButtonProps extends ButtonProps {
  readonly needs: Role
  /** Another reason for which it cannot be done now. */
  readonly because?: string | null
  readonly onClick?: () => void
  readonly type?: 'submit'
  readonly children: ReactNode
  readonly 'aria-label'?: string
}

/** A button for some roles. The others see it too, and read why it is not theirs. */
export function AllowedButton({ needs, because = null, onClick, children, ...props }: AllowedButtonProps) {
  const refusal = useRefusal(needs)
  const reason = refusal ?? because
  const id = useId()
  if (reason === null) {
    return (
      <Button {...(onClick ? { onClick } : {})} {...props}>
        {children}
      </Button>
    )
  }
  return (
    <Tooltip label={reason}>
      <span>
        <Button
          {...props}
          data-disabled
          aria-disabled
          aria-describedby={id}
          onClick={(event) => event.preventDefault()}
        >
          {children}
        </Button>
        <VisuallyHidden id={id}>{reason}</VisuallyHidden>
      </span>
    </Tooltip>
  )
}

/** The same in words on the page, for everyone to see without searching. */
export function RoleNotice({ needs, what }: { readonly needs: Role; readonly what: string }) {
  const refusal = useRefusal(needs)
  if (refusal === null) return null
  return (
    <p className="role-notice">
      You can look at {what}, but not change them. {refusal} An owner can change your role.
    </p>
  )
}
