import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { IssuedCredential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { holdPage } from '../router.tsx'
import { SecretStep } from './secret-step.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly issuedTitle: string
  readonly doneLabel?: string
  /** The questions before there is a secret. Calls `issue` with the answer. */
  readonly children: (issue: (issued: IssuedCredential) => void) => ReactNode
  readonly close: (issued: IssuedCredential | null) => void
}

/** A dialog that ends with a secret on the screen, and does not close by accident before that was copied. */
export function SecretDialog({ title, issuedTitle, doneLabel = 'Done', children, close }: SecretDialogProps) {
  const [issued, setIssued] = useState<IssuedCredential | null>(null)
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isHeld = issued !== null && !isCopied
  useEffect(() => (isHeld ? holdPage(() => setAsking(true)) : undefined), [isHeld])

  const leave = () => (isHeld ? setAsking(true) : close(issued))
  return (
    <Dialog
      close={leave}
      title={issued ? issuedTitle : title}
      size={issued ? 'lg' : 'md'}
      closeOnClickOutside={issued === null}
    >
      {issued === null && children(setIssued)}
      {issued && isAsking && (
        <Stack>
          <Text>
            You have not copied the secret of <strong>{issued.name}</strong>. Once this is closed, nobody can show it
            again; you would have to rotate it for a new one.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => close(issued)}>
              Close without copying
            </Button>
            <Button onClick={() => setAsking(false)} data-autofocus ref={(button) => button?.focus()}>
              Back to the secret
            </Button>
          </Group>
        </Stack>
      )}
      {issued && !isAsking && (
        <SecretStep issued={issued} onCopied={() => setCopied(true)} done={leave} doneLabel={doneLabel} />
      )}
    </Dialog>
  )
}
