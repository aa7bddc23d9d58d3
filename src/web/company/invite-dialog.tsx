import { Alert, Button, Code, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { send } from '../api.ts'
import type { NewInvitation, Role } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { isRole, roles } from './roles.ts'

export function InviteDialog({ close }: { readonly close: () => void }) {
  const [made, setMade] = useState<NewInvitation | null>(null)
  return (
    <Dialog close={close} title={made ? 'Invitation made' : 'Invite someone'}>
      {made ? <Made invitation={made} close={close} /> : <InviteForm made={setMade} close={close} />}
    </Dialog>
  )
}

interface InviteFormProps {
  readonly made: (invitation: NewInvitation) => void
  readonly close: () => void
}

function InviteForm({ made, close }: InviteFormProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const task = useTask(async () => {
    made(await send<NewInvitation>('POST', '/api/invitations', { email: email.trim(), role }))
    void refresh('/api/invitations')
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        task.start()
      }}
    >
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Radio.Group label="Role" value={role} onChange={(value) => isRole(value) && setRole(value)}>
          <Stack gap="xs" mt={6}>
            {roles.map((one) => (
              <Radio key={one.value} {...one} />
            ))}
          </Stack>
        </Radio.Group>
        {task.error !== null && <FailureNotice error={task.error} title="Could not invite" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={task.isRunning}>
            Create invitation
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Made({ invitation, close }: { readonly invitation: NewInvitation; readonly close: () => void }) {
  const { email, link, expires_at } = invitation
  const firstButton = useRef<HTMLButtonElement>(null)
  useEffect(() => firstButton.current?.focus(), [])
  return (
    <Stack>
      <Alert color="green">
        {link === null
          ? `An e-mail with a link is on its way to ${email}.`
          : `Send this link to ${email}. It is shown only now.`}
      </Alert>
      {link !== null && (
        <Code block className="wrap" data-testid="invitation-link">
          {link}
        </Code>
      )}
      <Text size="sm" c="dimmed">
        It works once, for {email} only, and ends <When at={expires_at} />.
      </Text>
      <Group justify="flex-end">
        {link !== null && (
          <CopyButton label="Copy link" text={link} buttonRef={firstButton} variant="filled" size="sm" />
        )}
        <Button variant="default" onClick={close} {...(link === null ? { ref: firstButton } : {})}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
