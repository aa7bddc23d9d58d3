import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { VerifySnippets } from './verify-snippets.tsx'

interface SecretStepProps {
  readonly secret: string
  readonly onCopied: () => void
  readonly done: () => void
}

const mask = `whsec_${'•'.repeat(12)}`

/** The one time that a secret is shown. It lives in this part alone, and is gone with it. */
export function SecretStep({ secret, onCopied, done }: SecretStepProps) {
  const [isShown, setShown] = useState(false)
  const copyButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The form that was here before may have been scrolled down.
    copyButton.current?.closest('[role="dialog"]')?.scrollTo({ top: 0 })
    copyButton.current?.focus({ preventScroll: true })
  }, [])
  return (
    <Stack>
      <Alert color="orange" icon={<Icon name="warning" />} title="This is the only time the secret is shown">
        Copy it now, to where your receiver keeps its secrets. With it, the receiver knows that a message comes from
        here.
      </Alert>
      <div>
        <Text size="sm" fw={600} mb={4} id="webhook-secret-name">
          Signing secret
        </Text>
        <Code block className="wrap" aria-labelledby="webhook-secret-name" data-testid="webhook-secret">
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
          <Button variant="subtle" size="sm" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide secret' : 'Show secret'}
          </Button>
        </Group>
      </div>
      <div>
        <Text size="sm" fw={600} mb={4}>
          Verify what you receive
        </Text>
        <VerifySnippets />
      </div>
      <Group justify="flex-end" className="dialog-foot">
        <Button onClick={done}>Done</Button>
      </Group>
    </Stack>
  )
}
