import { Badge, Text } from '@mantine/core'
import type { Credential } from '../api-types.ts'
import { dayMs, useNow, When } from '../parts/when.tsx'
import { capitalized } from '../rows/words.ts'
import { useDataText } from './data-text.ts'

const states = {
  active: { color: 'green', text: 'Active' },
  expired: { color: 'gray', text: 'Expired' },
  revoked: { color: 'red', text: 'Revoked' },
} as const

export function StateBadge({ credential: { state } }: { readonly credential: Credential }) {
  return <Badge color={states[state].color}>{states[state].text}</Badge>
}

export function AccessBadge({ credential }: { readonly credential: Credential }) {
  const { access, may, resources, addresses } = credential
  const dataText = useDataText()
  const narrowing = [resources && dataText(resources), addresses && `from ${addresses.join(', ')}`]
  const text = may ? capitalized(may.join(', ')) : access === 'read' ? 'Read-only' : 'Read-write'
  return (
    <Badge color={access === 'read' ? 'gray' : 'ink'} variant="outline" title={narrowing.filter(Boolean).join(', ')}>
      {text}
      {(resources !== null || addresses !== null) && ' · narrowed'}
    </Badge>
  )
}

/** A dot for the eye, and the same in words. */
export function LastUsed({ at }: { readonly at: string | null }) {
  const now = useNow()
  if (at === null) return <Dotted freshness="never">Never used</Dotted>
  const age = now - Date.parse(at)
  return (
    <Dotted freshness={age < dayMs ? 'today' : age < 30 * dayMs ? 'month' : 'older'}>
      <When at={at} />
    </Dotted>
  )
}

function Dotted({ freshness, children }: { readonly freshness: string; readonly children: React.ReactNode }) {
  return (
    <Text component="span" size="sm" className="dotted">
      <span className="dot" data-freshness={freshness} aria-hidden="true" />
      {children}
    </Text>
  )
}

export function Expiry({ credential: { expires_at, state } }: { readonly credential: Credential }) {
  if (expires_at === null) return <Text size="sm">Never</Text>
  return (
    <Text size="sm" className="no-wrap" {...(state === 'expired' ? { c: 'dimmed' } : {})}>
      <When at={expires_at} as="day" />
    </Text>
  )
}
