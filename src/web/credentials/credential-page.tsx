import { Alert, Anchor, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { isFailure } from '../api.ts'
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
import { changeSearch, usePlace } from '../router.tsx'
import { useAnswer, useLink, useRefusal } from '../session.tsx'
import { CredentialDialog, type DialogName } from './credential-dialog.tsx'
import { CredentialFacts } from './credential-facts.tsx'
import { type ActionsProps, CredentialSettings } from './credential-settings.tsx'
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
      {isFailure(credential.error, 'PGRST125') ? (
        // The server has no path for what is no id.
        <Text>There is no such credential.</Text>
      ) : (
        <Loaded query={credential} what="the credential">
          {(one) => <Details credential={one} open={setOpen} />}
        </Loaded>
      )}
      {found && open && <CredentialDialog name={open} credential={found} close={close} />}
    </Page>
  )
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

/** The parts of the page, by their names in the address. */
const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'requests', label: 'Requests' },
  { value: 'use', label: 'Use it' },
  { value: 'settings', label: 'Settings' },
] as const

type TabName = (typeof tabs)[number]['value']

function Details({ credential, open }: ActionsProps) {
  const { search } = usePlace()
  const warnings = warningsOf(credential, useNow())
  const refusal = useRefusal('developer')
  const shown = tabs.filter(({ value }) => value !== 'use' || credential.state === 'active')
  const { value: chosen } = shown.find(({ value }) => value === search.get('tab')) ?? tabs[0]
  return (
    <Stack>
      <RoleNotice needs="developer" what="credentials" />
      {warnings.map(({ text, remedy }) => (
        <Alert key={text} color="orange" icon={<Icon name="warning" />}>
          {text}{' '}
          {remedy && refusal === null && (
            <Anchor component="button" type="button" c="inherit" inherit onClick={() => open(remedy.dialog)}>
              {remedy.label}
            </Anchor>
          )}
        </Alert>
      ))}
      <Tabs
        value={chosen}
        onChange={(value) => changeSearch({ tab: value === tabs[0].value ? null : value })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Parts of the page">
          {shown.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={chosen} pt="md">
          <Stack>
            <TabContent name={chosen} credential={credential} open={open} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

function TabContent({ name, credential, open }: ActionsProps & { readonly name: TabName }) {
  if (name === 'requests') return <LatestRequests credentialId={credential.id} />
  if (name === 'use') return <Use credential={credential} />
  if (name === 'settings') return <CredentialSettings credential={credential} open={open} />
  return (
    <>
      <RotationPanel credential={credential} />
      <Panel title="Details">
        <CredentialFacts credential={credential} />
      </Panel>
      <RequestsPanel
        credentialId={credential.id}
        none="No request has come with this key"
        isUsed={credential.last_used !== null}
        refetchInterval={4_000}
      />
    </>
  )
}

function Use({ credential }: Pick<ActionsProps, 'credential'>) {
  const { data: setup } = useSetup()
  return (
    <Panel title="Use it" lead="Put the secret into the environment of your application as PROJECT_API_SECRET.">
      <Snippets base={setup?.base_url ?? location.origin} apiKey={credential.api_key} secret={null} />
    </Panel>
  )
}
