import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { ApiFailure } from '../api.ts'
import { Icon } from './icons.tsx'

interface FailureNoticeProps {
  readonly error: unknown
  /** What could not be done, as a heading. */
  readonly title?: string
  readonly retry?: (() => void) | undefined
}

/** Puts the parts of a failure behind one another, each with its full stop. */
const sentences = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .filter((part) => !!part)
    .map((part) => (/[.!?…]$/.test(part ?? '') ? part : `${part}.`))
    .join(' ')

/** What went wrong, what helps, and the number by which an operator finds it in the log. */
export function FailureNotice({ error, title = 'That did not work', retry }: FailureNoticeProps) {
  const failure = error instanceof ApiFailure ? error : null
  const message = error instanceof Error ? error.message : String(error)
  return (
    <Alert color="red" title={title} icon={<Icon name="warning" />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{sentences([message, failure?.details, failure?.hint])}</Text>
        {failure?.requestId && (
          <Text size="xs">
            Request <Code className="wrap">{failure.requestId}</Code> · {failure.code}
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
