import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNotice } from './failure-notice.tsx'

interface LoadedProps<Answer> {
  readonly query: UseQueryResult<Answer, Error>
  /** What is being read, for the words of a failure: "the credentials". */
  readonly what: string
  readonly lines?: number
  /** Where it is known how tall the answer is: what is below then stays where it is. */
  readonly outline?: ReactNode
  readonly children: (answer: Answer) => ReactNode
}

/** Shows an answer when it is there; until then its outline, or why there is none. */
export function Loaded<Answer>({ query, what, lines = 4, outline, children }: LoadedProps<Answer>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return <FailureNotice error={query.error} title={`Could not load ${what}`} retry={() => void query.refetch()} />
  }
  return outline ?? <Outline lines={lines} />
}

export function Outline({ lines }: { readonly lines: number }) {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an outline are all alike.
        <Skeleton key={line} height={line === 0 ? 28 : 40} width={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  )
}
