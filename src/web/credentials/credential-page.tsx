import { Alert, Anchor, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { CredentialInDetail } from '../api-types.ts'
import { RequestsPanel } from '../charts/requests-panel.tsx'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Snippets } from '../parts/snippets.tsx'
import { useNow } from '../parts/when.tsx'
import { useSetup } from '../queries.ts'
import { LatestRequests } from '../requests/latest-requests.tsx'
import { useAnswer, useLink } from '../session.tsx'
import { CredentialDialog, type DialogName } from './credential-dialog.tsx'
import { CredentialFacts } from './credential-facts.tsx'
import { RotationPanel } from './rotation-panel.tsx'
import { warningsOf } from './warnings.ts'

export function CredentialPage({ id }: { readonly id: string }) {
  const credential = useAnswer<CredentialInDetail>(`/credentials/${encodeURIComponent(id)}`, {
    refetchInterval: 4_000,
  })
  const [open, setOpen] = useState<DialogName | null>(null)
  const close = () => setOpen(null)
  const link = useLink()
  const found = credential.data
  return (
    <Page
      title={found?.name ?? 'Credential'}
      lead={<Anchor {...link('/credentials')}>All credentials</Anchor>}
      actions={found && <Actions credential={found} open={setOpen} />}
    >
      <Loaded query={credential} what="the credential">
        {(one) => <Details credential={one} open={setOpen} />}
      </Loaded>
      {found && open && <CredentialDialog name={open} credential={found} close={close} />}
    </Page>
  )
}

interface ActionsProps {
  readonly credential: CredentialInDetail
  readonly open: (dialog: DialogName) => void
}

function Actions({ credential: { state, secrets }, open }: ActionsProps) {
  const ended = state === 'active' ? null : `It is ${state}.`
  const two = secrets.length > 1 ? 'Two secrets work already. Finish that rotation, or discard its new secret.' : null
  return (
    <>
      <AllowedButton needs="developer" variant="default" onClick={() => open('rename')}>
        Rename
      </AllowedButton>
      <AllowedButton needs="developer" variant="default" onClick={() => open('duplicate')}>
        Duplicate
      </AllowedButton>
      <AllowedButton needs="developer" because={ended ?? two} onClick={() => open('rotate')}>
        Rotate secret
      </AllowedButton>
    </>
  )
}

function Details({ credential, open }: ActionsProps) {
  const { data: setup } = useSetup()
  const warnings = warningsOf(credential, useNow())
  return (
    <Stack>
      <RoleNotice needs="developer" what="credentials" />
      {warnings.map(({ text }) => (
        <Alert key={text} color="orange" icon={<Icon name="warning" />}>
          {text}
        </Alert>
      ))}
      <RotationPanel credential={credential} />
      <Panel title="Details" aside={<Changes credential={credential} open={open} />}>
        <CredentialFacts credential={credential} />
      </Panel>
      <RequestsPanel credentialId={credential.id} none="No request has come with this key" refetchInterval={4_000} />
      <LatestRequests credentialId={credential.id} />
      {credential.state === 'active' && (
        <Panel title="Use it" lead="Put the secret into the environment of your application as PROJECT_API_SECRET.">
          <Snippets base={setup?.base_url ?? location.origin} apiKey={credential.api_key} secret={null} />
        </Panel>
      )}
      <DangerZone credential={credential} open={open} />
    </Stack>
  )
}

/** What can be changed of the details. */
function Changes({ credential: { state }, open }: ActionsProps) {
  const ended = state === 'active' ? null : `It is ${state}.`
  const look = { size: 'xs', variant: 'default' } as const
  return (
    <Group gap="xs">
      <AllowedButton needs="developer" because={ended} {...look} onClick={() => open('access')}>
        Access
      </AllowedButton>
      <AllowedButton
        needs="developer"
        because={state === 'revoked' ? ended : null}
        {...look}
        onClick={() => open('expiry')}
      >
        Expiry
      </AllowedButton>
      <AllowedButton needs="developer" because={ended} {...look} onClick={() => open('limit')}>
        Rate limit
      </AllowedButton>
    </Group>
  )
}

/** What cannot be undone is apart from the rest. */
function DangerZone({ credential: { state }, open }: ActionsProps) {
  const because = state === 'revoked' ? 'It is revoked.' : null
  return (
    <Panel title="Danger zone" lead="Whatever uses a revoked credential is refused at once. This cannot be undone.">
      <AllowedButton needs="developer" because={because} color="red.9" onClick={() => open('revoke')}>
        Revoke
      </AllowedButton>
    </Panel>
  )
}
