import { Group, Text } from '@mantine/core'
import type { Webhook } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Fact } from '../parts/fact.tsx'
import { msText } from '../parts/ms-text.ts'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { pendingText, successText } from './figures.ts'
import { Chosen, StateBadge } from './marks.tsx'

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { url, attempts, average_ms, slowest_ms, next_attempt_at, old_secret_ends_at, failing_since } = webhook
  return (
    <Panel title="Details" aside={<StateBadge webhook={webhook} />}>
      <dl className="facts">
        <Fact name="URL">
          <Group gap="xs" wrap="nowrap">
            <span className="wrap">{url}</span>
            <CopyButton label="Copy URL" text={url} iconOnly />
          </Group>
        </Fact>
        <Fact name="Events">
          <Chosen webhook={webhook} />
        </Fact>
        <Fact name="Received">
          {successText(webhook)}
          {attempts > 0 && (
            <Text size="sm" c="dimmed">
              of the last {attempts.toLocaleString('en')} attempts within a day
            </Text>
          )}
        </Fact>
        <Fact name="Latency">
          {average_ms === null ? '–' : `${msText(average_ms)} on average, ${msText(slowest_ms ?? 0)} at most`}
        </Fact>
        <Fact name="Pending">{pendingText(webhook)}</Fact>
        <Fact name="Next attempt">{next_attempt_at === null ? '–' : <When at={next_attempt_at} as="planned" />}</Fact>
        {failing_since && (
          <Fact name="Failing since">
            <When at={failing_since} as="minute" />
          </Fact>
        )}
        {old_secret_ends_at && (
          <Fact name="Old secret signs until">
            <When at={old_secret_ends_at} as="minute" />
          </Fact>
        )}
        <Fact name="Created">
          <When at={webhook.created_at} as="day" /> by {webhook.created_by}
        </Fact>
      </dl>
    </Panel>
  )
}
