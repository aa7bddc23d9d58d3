import { Badge, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { CredentialInDetail, Secret } from '../api-types.ts'
import { type Bar, Bars, highestOf } from '../charts/bars.tsx'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Panel } from '../parts/panel.tsx'
import { useNow, When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { barsByHour } from './hours.ts'
import { LastUsed } from './marks.tsx'

/** Two secrets work: watch the traffic move from the old one to the new one, then finish; or go back to the old one. */
export function RotationPanel({ credential }: { readonly credential: CredentialInDetail }) {
  const [ending, setEnding] = useState<'old' | 'new' | null>(null)
  const now = useNow()
  const send = useSend()
  const [fresh, old] = credential.secrets
  if (!fresh || !old) return null
  const barsOf = ({ id }: Secret) => barsByHour(credential.usage_by_hour, now, 24, id)
  const [freshBars, oldBars] = [barsOf(fresh), barsOf(old)]
  const highest = highestOf([...freshBars, ...oldBars])
  const end = async ({ id }: Secret) => {
    await send('DELETE', `/credentials/${credential.id}/secrets/${id}`)
    await refresh('/credentials')
  }
  return (
    <Panel
      title="Rotation under way"
      lead={
        <>
          Both secrets work.
          {old.expires_at && (
            <>
              {' '}
              The old one ends <When at={old.expires_at} as="planned" />.
            </>
          )}
        </>
      }
    >
      <Stack>
        <div className="two-columns">
          <SecretTraffic title="New secret" secret={fresh} bars={freshBars} highest={highest} />
          <SecretTraffic title="Old secret" secret={old} bars={oldBars} highest={highest} />
        </div>
        <Text size="sm" role="status">
          <Advice fresh={fresh} old={old} now={now} />
        </Text>
        <Group justify="flex-end" gap="xs">
          <AllowedButton needs="developer" variant="default" onClick={() => setEnding('new')}>
            Discard the new secret
          </AllowedButton>
          <AllowedButton
            needs="developer"
            variant={fresh.last_used_at === null ? 'default' : 'filled'}
            onClick={() => setEnding('old')}
          >
            Finish now
          </AllowedButton>
        </Group>
      </Stack>
      {ending === 'old' && (
        <ConfirmDialog
          title="Stop the old secret now?"
          action="Stop the old secret"
          run={() => end(old)}
          close={() => setEnding(null)}
        >
          <Text>
            From now on only the new secret works. <LastUse name="The old one" secret={old} />
          </Text>
          {fresh.last_used_at === null && (
            <Text size="sm" fw={600}>
              The new secret has never been used: whatever uses the old one will fail.
            </Text>
          )}
        </ConfirmDialog>
      )}
      {ending === 'new' && (
        <ConfirmDialog
          title="Discard the new secret?"
          action="Discard it"
          run={() => end(fresh)}
          close={() => setEnding(null)}
        >
          <Text>
            From now on only the old secret works, as before the rotation, and you can rotate again.{' '}
            <LastUse name="The new one" secret={fresh} />
          </Text>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function LastUse({ name, secret: { last_used_at } }: { readonly name: string; readonly secret: Secret }) {
  if (last_used_at === null) return `${name} was never used.`
  return (
    <>
      {name} was last used <When at={last_used_at} />.
    </>
  )
}

/** How long the old secret must not have been used before it seems to be out of use. */
const quietMs = 3_600_000

function Advice({ fresh, old, now }: { readonly fresh: Secret; readonly old: Secret; readonly now: number }) {
  if (fresh.last_used_at === null) {
    return (
      <>
        Waiting for the first request with the new secret … <LastUse name="The old one" secret={old} /> Has nobody
        copied the new one? Discard it, and rotate again.
      </>
    )
  }
  const isQuiet = old.last_used_at === null || now - Date.parse(old.last_used_at) > quietMs
  return (
    <>
      The new secret is in use. <LastUse name="The old one" secret={old} />{' '}
      {isQuiet
        ? 'You can finish, unless something needs it only now and then.'
        : 'Finish when nothing uses it any more.'}
    </>
  )
}

interface SecretTrafficProps {
  readonly title: string
  readonly secret: Secret
  readonly bars: readonly Bar[]
  /** Of both secrets, so that their bars can be compared. */
  readonly highest: number
}

function SecretTraffic({ title, secret, bars, highest }: SecretTrafficProps) {
  const requests = secret.requests_24h.toLocaleString('en')
  return (
    <div className="quiet-box">
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{title}</Text>
        <Badge color={title === 'New secret' ? 'ink' : 'gray'}>{requests} in 24 h</Badge>
      </Group>
      <Bars
        bars={bars}
        highest={highest}
        width={240}
        height={40}
        label={`${title}, requests in 24 hours: ${requests}`}
        isStretched
      />
      <Group gap="xs" mt="xs">
        <Text size="sm">Last used:</Text>
        <LastUsed at={secret.last_used_at} />
      </Group>
      <Text size="xs" c="dimmed">
        Created <When at={secret.created_at} />
      </Text>
    </div>
  )
}
