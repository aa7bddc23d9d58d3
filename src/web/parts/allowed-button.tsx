import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { Role } from '../api-types.ts'
import { useRefusal, useRoleRefusal } from '../session.tsx'

interface AllowedButtonProps extends ButtonProps {
  readonly needs: Role
  /** Another reason for which it cannot be done now. */
  readonly because?: string | null
  /** Whether it can be done in a company that is about to be deleted. */
  readonly worksOnEnding?: true
  readonly onClick?: () => void
  readonly type?: 'submit'
  readonly children: ReactNode
  readonly 'aria-label'?: string
}

/** A button for some roles. The others see it too, and read why it is not theirs. */
export function AllowedButton(all: AllowedButtonProps) {
  const { needs, because = null, worksOnEnding = false, onClick, children, ...props } = all
  const [refusal, refusalByRole] = [useRefusal(needs), useRoleRefusal(needs)]
  const reason = (worksOnEnding ? refusalByRole : refusal) ?? because
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

/** What a role does not allow, in words on the page, for everyone to see without searching. */
export function RoleNotice({ needs, what }: { readonly needs: Role; readonly what: string }) {
  const refusal = useRoleRefusal(needs)
  if (refusal === null) return null
  return (
    <p className="role-notice">
      You can look at {what}, but not change them. {refusal} An owner can change your role.
    </p>
  )
}
