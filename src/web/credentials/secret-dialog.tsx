import type { IssuedCredential } from '../api-types.ts'
import { IssuedDialog, type IssuedDialogProps } from '../parts/issued-dialog.tsx'
import { SecretStep } from './secret-step.tsx'

interface SecretDialogProps extends IssuedDialogProps<IssuedCredential> {
  readonly doneLabel?: string
}

/** A dialog that ends with the secret of a credential. */
export function SecretDialog({ doneLabel = 'Done', ...dialog }: SecretDialogProps) {
  return (
    <IssuedDialog
      {...dialog}
      show={(issued, handlers) => <SecretStep issued={issued} {...handlers} doneLabel={doneLabel} />}
    />
  )
}
