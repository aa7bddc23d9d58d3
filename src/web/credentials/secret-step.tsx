import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { IssuedCredential } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { Icon } from '../parts/icons.tsx'
import { mask, Snippets } from '../parts/snippets.tsx'
import { useSetup } from '../queries.ts'

interface SecretStepProps {
  readonly issued: IssuedCredential
  readonly onCopied: () => void
  readonly done: () => void
  readonly doneLabel: string
}

/** The one time that a secret is shown. It lives in this part alone, and is gone with it. */
export function SecretStep({ issued, onCopied, done, doneLabel }: SecretStepProps) {
  const [isShown, setShown] = useState(false)
  const copyButton = useRef<HTMLButtonElement>(null)
  const { data: setup } = useSetup()
  const base = setup?.base_url ?? location.origin
  useEffect(() => {
    // The form that was here before may have been scrolled down.
    copyButton.current?.closest('[role="dialog"]')?.scrollTo({ top: 0 })
    copyButton.current?.focus({ preventScroll: true })
  }, [])
  const { api_key: key, api_secret: secret } = issued
  const joined = `${key}.${secret}`
  const env = `PROJECT_API_URL=${base}\nPROJECT_API_KEY=${key}\nPROJECT_API_SECRET=${secret}\n`
  return (
    <Stack>
      <Alert color="orange" icon={<Icon name="warning" />} title="This is the only time the secret is shown">
        Copy it now, to where your application keeps its secrets. We store only a fingerprint of it.
      </Alert>
      <div>
        <Text size="sm" fw={600} mb={4} id="secret-name">
          API secret
        </Text>
        <Code block className="wrap" aria-labelledby="secret-name" data-testid="api-secret">
          {isShown ? secret : mask}
        </Code>
        <Group gap="xs" mt="xs">
          <CopyButton
            label="Copy secret"
            text={secret}
            onCopied={onCopied}
            buttonRef={copyButton}
            variant="filled"
            size="sm"
          />
          <CopyButton label="Copy both as .env" text={env} onCopied={onCopied} size="sm" />
          <Button variant="subtle" size="sm" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide secret' : 'Show secret'}
          </Button>
        </Group>
      </div>
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
