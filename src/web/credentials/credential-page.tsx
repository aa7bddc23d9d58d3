import { Alert, Anchor, Stack } from '@mantine/core'
import { useState } from 'react'
import type { CredentialInDetail } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { RequestsPanel } from '../parts/requests-panel.tsx'
import { Snippets } from '../parts/snippets.tsx'
import { useNow } from '../parts/when.tsx'
import { useSetup } from '../queries.ts'
import { LatestRequests } from '../requests/latest-requests.tsx'
import { useAnswer, useLink } from '../session.tsx'
import { CredentialFacts } from './credential-facts.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
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
        {(one) => <Details credential={one} />}
      </Loaded>
      {found && open === 'rename' && <RenameDialog credential={found} close={close} />}
      {found && open === 'limit' && <LimitDialog credential={found} close={close} />}
      {found && open === 'rotate' && <RotateDialog credential={found} close={close} />}
      {found && open === 'revoke' && <RevokeDialog credential={found} close={close} />}
    </Page>
  )
}

type DialogName = 'rename' | 'limit' | 'rotate' | 'revoke'

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
      <AllowedButton needs="developer" because={ended} variant="default" onClick={() => open('limit')}>
        Rate limit
      </AllowedButton>
      <AllowedButton needs="developer" because={ended ?? two} variant="default" onClick={() => open('rotate')}>
        Rotate secret
      </AllowedButton>
      <AllowedButton needs="developer" because={ended} color="red.9" onClick={() => open('revoke')}>
        Revoke
      </AllowedButton>
    </>
  )
}

function Details({ credential }: { readonly credential: CredentialInDetail }) {
  const { data: setup } = useSetup()
  const warnings = warningsOf(credential, useNow())
  return (
    <Stack>
      <RoleNotice needs="developer" what="credentials" />
      {warnings.map((warning) => (
        <Alert key={warning} color="orange" icon={<Icon name="warning" />}>
          {warning}
        </Alert>
      ))}
      <RotationPanel credential={credential} />
      <CredentialFacts credential={credential} />
      <RequestsPanel credentialId={credential.id} none="No request has come with this key" refetchInterval={4_000} />
      <LatestRequests credentialId={credential.id} />
      {credential.state === 'active' && (
        <Panel title="Use it" lead="Put the secret into the environment of your application as PROJECT_API_SECRET.">
          <Snippets base={setup?.base_url ?? location.origin} apiKey={credential.api_key} secret={null} />
        </Panel>
      )}
    </Stack>
  )
}
