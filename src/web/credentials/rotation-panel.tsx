import { Badge, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { CredentialInDetail, Secret, UsageOfHour } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { type Bar, Bars } from '../parts/bars.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Panel } from '../parts/panel.tsx'
import { useNow, When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { barsByHour } from './hours.ts'
import { LastUsed } from './marks.tsx'

/** Two secrets work: watch the traffic move from the old one to the new one, then finish. */
export function RotationPanel({ credential }: { readonly credential: CredentialInDetail }) {
  const [ending, setEnding] = useState<Secret | null>(null)
  const now = useNow()
  const [fresh, old] = credential.secrets
  if (!fresh || !old) return null
  return (
    <Panel
      title="Rotation under way"
      lead={
        <>
          Both secrets work.
          {old.expires_at && (
            <>
              {' '}
              The old one ends <When at={old.expires_at} />.
            </>
          )}
        </>
      }
    >
      <Stack>
        <div className="two-columns">
          <SecretTraffic title="New secret" secret={fresh} hours={credential.usage_by_hour} now={now} />
          <SecretTraffic title="Old secret" secret={old} hours={credential.usage_by_hour} now={now} />
        </div>
        <Group justify="space-between" gap="sm">
          <Text size="sm" role="status">
            <Advice fresh={fresh} old={old} />
          </Text>
          <AllowedButton needs="developer" onClick={() => setEnding(old)}>
            Finish now
          </AllowedButton>
        </Group>
      </Stack>
      {ending && (
        <ConfirmDialog
          title="Stop the old secret now?"
          action="Stop the old secret"
          run={async () => {
            await send('DELETE', `/api/credentials/${credential.id}/secrets/${ending.id}`)
            await refresh('/api/credentials')
          }}
          close={() => setEnding(null)}
        >
          <Text>
            From now on only the new secret works.{' '}
            {ending.last_used_at ? (
              <>
                The old one was last used <When at={ending.last_used_at} />.
              </>
            ) : (
              'The old one was never used.'
            )}
          </Text>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Last uses are known to the minute. */
const minuteMs = 60_000

function Advice({ fresh, old }: { readonly fresh: Secret; readonly old: Secret }) {
  if (fresh.last_used_at === null) return 'Waiting for the first request with the new secret …'
  const madeAt = Math.floor(Date.parse(fresh.created_at) / minuteMs) * minuteMs
  if (old.last_used_at === null || Date.parse(old.last_used_at) < madeAt)
    return 'The new secret is in use, and the old one is not any more. You can finish.'
  return (
    <>
      The old secret was used <When at={old.last_used_at} />. Finish when nothing uses it any more.
    </>
  )
}

interface SecretTrafficProps {
  readonly title: string
  readonly secret: Secret
  readonly hours: readonly UsageOfHour[]
  readonly now: number
}

function SecretTraffic({ title, secret, hours, now }: SecretTrafficProps) {
  const bars: readonly Bar[] = barsByHour(hours, now, 24, secret.id)
  const requests = secret.requests_24h.toLocaleString('en')
  return (
    <div className="quiet-box">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{title}</Text>
        <Badge color={title === 'New secret' ? 'ink' : 'gray'}>{requests} in 24 h</Badge>
      </Group>
      <Bars bars={bars} width={240} height={40} label={`${title}, requests in 24 hours: ${requests}`} isStretched />
      <Group gap="xs" mt="xs">
        <Text size="sm">Last used:</Text>
        <LastUsed at={secret.last_used_at} />
      </Group>
      <Text size="xs" c="dimmed">
        Made <When at={secret.created_at} />
      </Text>
    </div>
  )
}
