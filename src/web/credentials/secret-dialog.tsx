import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { IssuedCredential } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { holdPage } from '../router.tsx'
import { useTask } from '../use-task.ts'
import { SecretStep } from './secret-step.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly issuedTitle: string
  readonly doneLabel?: string
  /** The questions before there is a secret. Calls `issue` with the answer. */
  readonly children: (issue: (issued: IssuedCredential) => void) => ReactNode
  readonly wayOut: (issued: IssuedCredential) => WayOut
  readonly close: (issued: IssuedCredential | null) => void
}

/** What becomes of a secret that nobody has copied. */
export interface WayOut {
  /** What it means to close now. */
  readonly words: ReactNode
  /** Leads on instead of closing: to no secret at all, or to the questions for another one. */
  readonly action?: { readonly label: string; run(): Promise<'closed' | 'asking again'> }
}

/** A dialog that ends with a secret on the screen, and does not close by accident before that was copied. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, issuedTitle, doneLabel = 'Done', children, wayOut, close } = props
  const [issued, setIssued] = useState<IssuedCredential | null>(null)
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isHeld = issued !== null && !isCopied
  useEffect(() => (isHeld ? holdPage(() => setAsking(true)) : undefined), [isHeld])

  const leave = () => (isHeld ? setAsking(true) : close(issued))
  return (
    <Dialog close={leave} title={issued ? issuedTitle : title} size={issued ? 'lg' : 'md'}>
      {issued === null && children(setIssued)}
      {issued && isAsking && (
        <NotCopied
          wayOut={wayOut(issued)}
          goBack={() => setAsking(false)}
          askAgain={() => {
            setAsking(false)
            setIssued(null)
          }}
          close={() => close(issued)}
        />
      )}
      {issued && !isAsking && (
        <SecretStep issued={issued} onCopied={() => setCopied(true)} done={leave} doneLabel={doneLabel} />
      )}
    </Dialog>
  )
}

interface NotCopiedProps {
  readonly wayOut: WayOut
  readonly goBack: () => void
  readonly askAgain: () => void
  readonly close: () => void
}

function NotCopied({ wayOut: { words, action }, goBack, askAgain, close }: NotCopiedProps) {
  const task = useTask(async () => {
    if ((await action?.run()) === 'asking again') askAgain()
    else close()
  })
  return (
    <Stack>
      <Text>You have not copied the secret. Once this is closed, nobody can show it again.</Text>
      <Text>{words}</Text>
      {task.error !== null && <FailureNotice error={task.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Close without copying
        </Button>
        {action && (
          <Button variant="default" loading={task.isRunning} onClick={task.start}>
            {action.label}
          </Button>
        )}
        <Button onClick={goBack} data-autofocus ref={(button) => button?.focus()}>
          Back to the secret
        </Button>
      </Group>
    </Stack>
  )
}
