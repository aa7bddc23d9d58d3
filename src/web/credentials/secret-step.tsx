import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { IssuedCredential } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { NewSecret } from '../parts/new-secret.tsx'
import { mask, Snippets } from '../parts/snippets.tsx'
import { useSetup } from '../queries.ts'

interface SecretStepProps {
  readonly issued: IssuedCredential
  readonly onCopied: () => void
  readonly done: () => void
  readonly doneLabel: string
}

const advice = 'Copy it now, to where your application keeps its secrets. We store only a fingerprint of it.'

/** The secret lives in this part alone, and is gone with it. */
export function SecretStep({ issued, onCopied, done, doneLabel }: SecretStepProps) {
  const [isShown, setShown] = useState(false)
  const { data: setup } = useSetup()
  const base = setup?.base_url ?? location.origin
  const { api_key: key, api_secret: secret } = issued
  const joined = `${key}.${secret}`
  const env = `PROJECT_API_URL=${base}\nPROJECT_API_KEY=${key}\nPROJECT_API_SECRET=${secret}\n`
  return (
    <Stack>
      <NewSecret
        name="API secret"
        testId="api-secret"
        {...{ secret, mask, isShown, setShown, onCopied, advice }}
        moreButtons={<CopyButton label="Copy both as .env" text={env} onCopied={onCopied} size="sm" />}
      />
      <div>
        <Text size="sm" fw={600} mb={4}>
          API key
        </Text>
        <Group gap="xs">
          <Code className="wrap" data-testid="api-key">
            {key}
          </Code>
          <CopyButton label="Copy key" text={key} iconOnly />
        </Group>
        <Text size="xs" c="dimmed" mt={4}>
          The key names the credential and can be seen again later.
        </Text>
      </div>
      <Disclosure label="For tools with one field" icon="down">
        <Text size="sm" my={4}>
          Key and secret joined by a dot, for a tool that asks for a single API key, such as n8n or Postman.
        </Text>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Code className="wrap" data-testid="one-field">
            {isShown ? joined : `${key}.${mask}`}
          </Code>
          <CopyButton label="Copy key and secret" text={joined} onCopied={onCopied} iconOnly />
        </Group>
      </Disclosure>
      <div>
        <Text size="sm" fw={600} mb={4}>
          Try it
        </Text>
        <Snippets base={base} apiKey={key} secret={secret} isMasked={!isShown} onCopied={onCopied} />
      </div>
      <Group justify="flex-end" className="dialog-foot">
        <Button onClick={done}>{doneLabel}</Button>
      </Group>
    </Stack>
  )
}
