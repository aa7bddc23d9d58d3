import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { Invitation, NewInvitation, Role } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { DialogForm } from '../parts/dialog-form.tsx'
import { When } from '../parts/when.tsx'
import { refresh, useSetup } from '../queries.ts'
import { useAnswer, useHere, useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { rememberLink } from './links.ts'
import { RoleChoice } from './role-choice.tsx'

export function InviteDialog({ close }: { readonly close: () => void }) {
  const [made, setMade] = useState<NewInvitation | null>(null)
  return (
    <Dialog close={close} title={made ? 'Invitation created' : 'Invite someone'}>
      {made ? <Made invitation={made} close={close} /> : <InviteForm made={setMade} close={close} />}
    </Dialog>
  )
}

interface AgainProps {
  readonly invitation: Invitation
  readonly close: () => void
}

/** The same invitation with another link. */
export function InviteAgainDialog({ invitation: { email, role }, close }: AgainProps) {
  const [made, setMade] = useState<NewInvitation | null>(null)
  const { data: setup } = useSetup()
  const invite = useInvite(setMade)
  const task = useTask(() => invite(email, role))
  const action = setup?.email_enabled ? 'Send a new link' : 'Create a new link'
  return (
    <Dialog close={close} title={made ? 'Invitation created' : `Invite ${email} again?`}>
      {made ? (
        <Made invitation={made} close={close} />
      ) : (
        <DialogForm task={task} action={action} failed="Could not invite" cancel={close}>
          <Text>
            Nobody can show the first link again, as only a fingerprint of it is stored. A new one takes its place: the
            first link ends.
          </Text>
        </DialogForm>
      )}
    </Dialog>
  )
}

function useInvite(made: (invitation: NewInvitation) => void): (email: string, role: Role) => Promise<void> {
  const send = useSend()
  return async (email, role) => {
    const invitation = await send<NewInvitation>('POST', '/invitations', { email, role })
    rememberLink(invitation.id, invitation.link)
    made(invitation)
    void refresh('/invitations')
  }
}

interface InviteFormProps {
  readonly made: (invitation: NewInvitation) => void
  readonly close: () => void
}

function InviteForm({ made, close }: InviteFormProps) {
  const { company } = useHere()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const invite = useInvite(made)
  const task = useTask(() => invite(email.trim(), role))
  const { data: open = [] } = useAnswer<readonly Invitation[]>('/invitations')
  const isOpen = open.some((one) => one.email === email.trim().toLowerCase())
  return (
    <DialogForm
      task={task}
      action={isOpen ? 'Invite again' : 'Create invitation'}
      failed="Could not invite"
      cancel={close}
      fields={{ email: 'E-mail' }}
    >
      {(errorAt) => (
        <>
          <TextInput
            label="E-mail"
            type="email"
            required
            withAsterisk={false}
            autoComplete="off"
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            {...errorAt('email')}
          />
          <div role="status">
            {isOpen && (
              <Alert color="orange">
                {email.trim()} has an open invitation. If you invite them again, the first link ends.
              </Alert>
            )}
          </div>
          <RoleChoice role={role} change={setRole} />
          {company.two_factor_required && (
            <Text size="sm" c="dimmed">
              Your company requires two-factor sign-in. The invitation says so, and the page leads to the set-up.
            </Text>
          )}
        </>
      )}
    </DialogForm>
  )
}

function Made({ invitation, close }: { readonly invitation: NewInvitation; readonly close: () => void }) {
  const { email, link, expires_at, replaced } = invitation
  const firstButton = useRef<HTMLButtonElement>(null)
  useEffect(() => firstButton.current?.focus(), [])
  return (
    <Stack>
      <Alert color="green">
        {link === null ? `An e-mail with a link is on its way to ${email}.` : `Send this link to ${email}.`}
        {replaced && ' The link that they had before has ended.'}
      </Alert>
      {link !== null && (
        <Code block className="wrap" data-testid="invitation-link">
          {link}
        </Code>
      )}
      <Text size="sm" c="dimmed">
        It works once, for {email} only, and ends <When at={expires_at} as="planned" />.
        {link !== null && ' You can copy it again from the list until you leave or reload this window.'}
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
