import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Company } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { navigate } from '../router.tsx'

/** Tells whoever was removed while they were at work. The page stays below, with all that was typed. */
export function RemovedNotice({ company }: { readonly company: Company }) {
  const [isOpen, setOpen] = useState(true)
  if (!isOpen) {
    return (
      <p className="offline-banner" role="status">
        You are not a member of {company.name} any more. Nothing can be saved here.
      </p>
    )
  }
  return (
    <Dialog title={`You are not a member of ${company.name} any more`} close={() => setOpen(false)}>
      <Stack>
        <Text>
          An owner has removed you, so nothing more can be loaded or saved here. What you typed is still on the page:
          copy what you need before you go.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setOpen(false)}>
            Stay on this page
          </Button>
          <Button onClick={() => navigate('/')}>Go on</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
