import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icons.tsx'

interface NewSecretProps {
  readonly name: string
  readonly testId: string
  readonly secret: string
  /** Shown in its place until it is asked for. */
  readonly mask: string
  readonly isShown: boolean
  readonly setShown: (isShown: boolean) => void
  readonly onCopied: () => void
  /** Where to keep it. */
  readonly advice: ReactNode
  readonly moreButtons?: ReactNode
}

/** The one time that a secret is shown: how to copy it, and what to do with it. */
export function NewSecret(props: NewSecretProps) {
  const { name, testId, secret, mask, isShown, setShown, onCopied, advice, moreButtons } = props
  const nameId = useId()
  const copyButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The form that was here before may have been scrolled down.
    copyButton.current?.closest('[role="dialog"]')?.scrollTo({ top: 0 })
    copyButton.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <Alert color="orange" icon={<Icon name="warning" />} title="This is the only time the secret is shown">
        {advice}
      </Alert>
      <div>
        <Text size="sm" fw={600} mb={4} id={nameId}>
          {name}
        </Text>
        <Code block className="wrap" aria-labelledby={nameId} data-testid={testId}>
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
          {moreButtons}
          <Button variant="subtle" size="sm" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide secret' : 'Show secret'}
          </Button>
        </Group>
      </div>
    </>
  )
}
