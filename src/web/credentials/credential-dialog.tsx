import type { Credential } from '../api-types.ts'
import { AccessDialog } from './access-dialog.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { ExpiryDialog } from './expiry-dialog.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

const dialogs = {
  rename: RenameDialog,
  access: AccessDialog,
  expiry: ExpiryDialog,
  duplicate: DuplicateDialog,
  limit: LimitDialog,
  rotate: RotateDialog,
  revoke: RevokeDialog,
} as const

/** What can be done with a credential, from its page and from the list. */
export type DialogName = keyof typeof dialogs

interface CredentialDialogProps {
  readonly name: DialogName
  readonly credential: Credential
  readonly close: () => void
}

export function CredentialDialog({ name, credential, close }: CredentialDialogProps) {
  const Shown = dialogs[name]
  return <Shown credential={credential} close={close} />
}

/** Another credential that begins with what this one may do. */
function DuplicateDialog({ credential, close }: Omit<CredentialDialogProps, 'name'>) {
  return <CreateDialog like={credential} close={close} />
}
