import { Alert, Button, Group, Stack } from '@mantine/core'
import type { Credential } from '../api-types.ts'
import { Icon } from '../parts/icons.tsx'
import { useNow } from '../parts/when.tsx'
import { useLink } from '../session.tsx'
import { SidePanel } from '../table/side-panel.tsx'
import { CredentialFacts } from './credential-facts.tsx'
import { warningsOf } from './warnings.ts'

interface CredentialPanelProps {
  readonly credential: Credential
  readonly close: () => void
}

/** The most important of a credential, beside the list. */
export function CredentialPanel({ credential, close }: CredentialPanelProps) {
  const link = useLink()
  return (
    <SidePanel
      title={credential.name}
      close={close}
      actions={
        <Group gap="xs">
          <Button component="a" size="xs" {...link(`/credentials/${credential.id}`)}>
            Open its page
          </Button>
        </Group>
      }
    >
      <Stack>
        {warningsOf(credential, useNow()).map(({ text }) => (
          <Alert key={text} color="orange" icon={<Icon name="warning" />}>
            {text}
          </Alert>
        ))}
        <CredentialFacts credential={credential} />
      </Stack>
    </SidePanel>
  )
}
