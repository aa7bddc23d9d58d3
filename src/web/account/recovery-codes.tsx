import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly done: () => void
}

/** Shown once. Whoever goes on without them is told what that means. */
export function RecoveryCodes({ codes, done }: RecoveryCodesProps) {
  const [isStored, setStored] = useState(false)
  const text = codes.join('\n')
  return (
    <Stack>
      <Text>
        Store these recovery codes where you find them without your phone. Each signs you in once in place of a code of
        the app. They are not shown again.
      </Text>
      <ol className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ol>
      <Group>
        <CopyButton label="Copy codes" text={text} size="sm" onCopied={() => setStored(true)} />
        <Button
          size="sm"
          variant="default"
          onClick={() => {
            save(text)
            setStored(true)
          }}
        >
          Download
        </Button>
      </Group>
      {!isStored && (
        <Text size="sm" c="dimmed">
          Without the phone and without these codes, only the operator of this installation can let you in again.
        </Text>
      )}
      <Button onClick={done}>I have stored them</Button>
    </Stack>
  )
}

function save(text: string): void {
  const href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href, download: 'project-api-recovery-codes.txt' }).click()
  setTimeout(() => URL.revokeObjectURL(href), 1000)
}
