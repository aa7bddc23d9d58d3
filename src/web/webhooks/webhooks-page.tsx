import { Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { WebhookList } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer } from '../session.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { WebhooksTable } from './webhooks-table.tsx'

export function WebhooksPage() {
  const list = useAnswer<WebhookList>('/webhooks', { refetchInterval: 10_000 })
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  return (
    <Page
      title="Webhooks"
      lead="Where events are sent when your data changes."
      actions={
        list.data?.webhooks.length ? (
          <AllowedButton needs="owner" onClick={create} leftSection={<Icon name="plus" />}>
            New webhook
          </AllowedButton>
        ) : undefined
      }
    >
      <Stack>
        <RoleNotice needs="owner" what="the webhooks" />
        <Loaded query={list} what="the webhooks">
          {({ webhooks }) =>
            webhooks.length === 0 ? <NoWebhooks create={create} /> : <WebhooksTable webhooks={webhooks} />
          }
        </Loaded>
      </Stack>
      {isCreating && <CreateDialog types={list.data?.event_types ?? []} close={() => setCreating(false)} />}
    </Page>
  )
}

/** The empty page teaches what a webhook is. */
function NoWebhooks({ create }: { readonly create: () => void }) {
  return (
    <Paper withBorder p="xl" className="panel">
      <Stack align="center" gap="md" py="lg">
        <div className="key-picture" aria-hidden="true">
          <span>a change</span>
          <b>→</b>
          <span>a signed message</span>
          <b>→</b>
          <span>your server</span>
        </div>
        <Title order={2} size="h3" ta="center">
          No webhooks yet
        </Title>
        <Text ta="center" maw={480} c="dimmed">
          A webhook sends each change of your data to a URL of yours, signed, in order, and again until it is received.
          So your application need not ask all the time.
        </Text>
        <AllowedButton needs="owner" onClick={create} leftSection={<Icon name="plus" />}>
          Create your first webhook
        </AllowedButton>
      </Stack>
    </Paper>
  )
}
