import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CredentialInDetail } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { Panel } from '../parts/panel.tsx'
import type { DialogName } from './credential-dialog.tsx'
import { useDataText } from './data-text.ts'
import { AccessBadge, Expiry } from './marks.tsx'
import { rateText } from './rate-field.tsx'

export interface ActionsProps {
  readonly credential: CredentialInDetail
  readonly open: (dialog: DialogName) => void
}

/** What can be changed of a credential; what cannot be undone is apart from the rest. */
export function CredentialSettings({ credential, open }: ActionsProps) {
  const { state, resources, addresses, rate_limit } = credential
  const dataText = useDataText()
  const isRevoked = state === 'revoked' ? 'It is revoked.' : null
  const ended = state === 'active' ? null : `It is ${state}.`
  return (
    <>
      <Panel title="Settings" lead="Changes take effect at once.">
        <Stack gap="lg">
          <Setting label="Access" dialog="access" because={ended} open={open}>
            <AccessBadge credential={credential} /> to {resources ? dataText(resources) : 'all data'}, from{' '}
            {addresses ? addresses.join(', ') : 'all addresses'}
          </Setting>
          <Setting label="Expiry" dialog="expiry" because={isRevoked} open={open}>
            <Expiry credential={credential} />
          </Setting>
          <Setting label="Rate limit" dialog="limit" because={ended} open={open}>
            {rate_limit === null ? 'None of its own' : rateText(rate_limit)}
          </Setting>
        </Stack>
      </Panel>
      <Panel title="Danger zone" lead="Whatever uses a revoked credential is refused at once. This cannot be undone.">
        <AllowedButton needs="developer" because={isRevoked} color="red.9" onClick={() => open('revoke')}>
          Revoke
        </AllowedButton>
      </Panel>
    </>
  )
}

interface SettingProps extends Pick<ActionsProps, 'open'> {
  readonly label: string
  readonly dialog: DialogName
  /** Why it cannot be changed. */
  readonly because: string | null
  readonly children: ReactNode
}

function Setting({ label, dialog, because, open, children }: SettingProps) {
  return (
    <div className="setting">
      <div>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text component="div" size="sm" className="wrap">
          {children}
        </Text>
      </div>
      <AllowedButton
        needs="developer"
        because={because}
        variant="default"
        aria-label={`Change: ${label}`}
        onClick={() => open(dialog)}
      >
        Change
      </AllowedButton>
    </div>
  )
}
