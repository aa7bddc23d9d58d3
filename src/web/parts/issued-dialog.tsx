import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { holdPage } from '../router.tsx'
import { useTask } from '../use-task.ts'
import { Dialog } from './dialog.tsx'
import { FailureNotice } from './failure-notice.tsx'

export interface IssuedDialogProps<Issued> {
  readonly title: string
  readonly issuedTitle: string
  /** The questions before there is a secret. Calls `issue` with the answer. */
  readonly children: (issue: (issued: Issued) => void) => ReactNode
  readonly wayOut: (issued: Issued) => WayOut
  readonly close: (issued: Issued | null) => void
}

/** What becomes of a secret that nobody has copied. */
export interface WayOut {
  /** What it means to close now. */
  readonly words: ReactNode
  /** Leads on instead of closing: to no secret at all, or to the questions for another one. */
  readonly action?: { readonly label: string; run(): Promise<'closed' | 'asking again'> }
}

interface ShownOnce<Issued> {
  /** Shows the secret, with buttons that copy it. */
  readonly show: (issued: Issued, handlers: { readonly onCopied: () => void; readonly done: () => void }) => ReactNode
}

/** A dialog that ends with a secret on the screen, and does not close by accident before that was copied. */
export function IssuedDialog<Issued>(props: IssuedDialogProps<Issued> & ShownOnce<Issued>) {
  const { title, issuedTitle, children, show, wayOut, close } = props
  const [issued, setIssued] = useState<Issued | null>(null)
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
      {issued && !isAsking && show(issued, { onCopied: () => setCopied(true), done: leave })}
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
