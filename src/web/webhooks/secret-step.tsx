import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { NewSecret } from '../parts/new-secret.tsx'
import { VerifySnippets } from './verify-snippets.tsx'

interface SecretStepProps {
  readonly secret: string
  readonly onCopied: () => void
  readonly done: () => void
}

const mask = `whsec_${'•'.repeat(12)}`
const advice =
  'Copy it now, to where your receiver keeps its secrets. With it, the receiver knows that a message comes from here.'

/** The secret lives in this part alone, and is gone with it. */
export function SecretStep({ secret, onCopied, done }: SecretStepProps) {
  const [isShown, setShown] = useState(false)
  return (
    <Stack>
      <NewSecret
        name="Signing secret"
        testId="webhook-secret"
        {...{ secret, mask, isShown, setShown, onCopied, advice }}
      />
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
