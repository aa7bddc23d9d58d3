import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'

interface KeptPageNoticeProps {
  readonly title: string
  /** In place of the dialog, once the person has chosen to stay. */
  readonly banner: string
  readonly action: string
  readonly go: () => void
  readonly children: ReactNode
}

/** Tells somebody at work that the page works no more. It stays below, with all that was typed. */
export function KeptPageNotice({ title, banner, action, go, children }: KeptPageNoticeProps) {
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) {
    return (
      <p className="offline-banner" role="status">
        {banner}
      </p>
    )
  }
  return (
    <Dialog title={title} close={() => setOpen(false)}>
      <Stack>
        <Text>{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setOpen(false)}>
            Stay on this page
          </Button>
          <Button onClick={go}>{action}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
