import { Alert, Anchor, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { Webhook, WebhookAttempt } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { showFailure } from '../parts/toasts.tsx'
import { refresh, useEventsKept } from '../queries.ts'
import { useAnswer, useLink, useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { disabledText } from './marks.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { VerifySnippets } from './verify-snippets.tsx'
import { WebhookFacts } from './webhook-facts.tsx'

const dialogs = { edit: EditDialog, rotate: RotateDialog, replay: ReplayDialog, delete: DeleteDialog } as const
type DialogName = keyof typeof dialogs

export function WebhookPage({ id }: { readonly id: string }) {
  const webhook = useAnswer<Webhook>(`/webhooks/${encodeURIComponent(id)}`, { refetchInterval: 4_000 })
  const [open, setOpen] = useState<DialogName | null>(null)
  const link = useLink()
  const found = webhook.data
  const OpenDialog = open && dialogs[open]
  return (
    <Page
      title="Webhook"
      lead={<Anchor {...link('/webhooks')}>All webhooks</Anchor>}
      actions={found && <Actions webhook={found} open={setOpen} />}
    >
      <Loaded query={webhook} what="the webhook">
        {(one) => <Details webhook={one} />}
      </Loaded>
      {found && OpenDialog && <OpenDialog webhook={found} close={() => setOpen(null)} />}
    </Page>
  )
}

interface ActionsProps {
  readonly webhook: Webhook
  readonly open: (dialog: DialogName) => void
}

function Actions({ webhook, open }: ActionsProps) {
  const { id, state } = webhook
  const send = useSend()
  const test = useTask(async () => {
    await send<WebhookAttempt>('POST', `/webhooks/${id}/test`).then(tell, (error) =>
      showFailure('Could not send a test event', error),
    )
    await refresh('/webhooks')
  })
  const toggle = useTask(async () => {
    await send('PATCH', `/webhooks/${id}`, { enabled: state === 'disabled' }).catch((error) =>
      showFailure('Could not change the webhook', error),
    )
    await refresh('/webhooks')
  })
  return (
    <>
      <AllowedButton needs="owner" loading={test.isRunning} onClick={test.start}>
        Send test event
      </AllowedButton>
      <AllowedButton needs="owner" variant="default" onClick={() => open('replay')}>
        Send again …
      </AllowedButton>
      <AllowedButton needs="owner" variant="default" onClick={() => open('edit')}>
        Edit
      </AllowedButton>
      <AllowedButton needs="owner" variant="default" onClick={() => open('rotate')}>
        Rotate secret
      </AllowedButton>
      <AllowedButton needs="owner" variant="default" loading={toggle.isRunning} onClick={toggle.start}>
        {state === 'disabled' ? 'Enable' : 'Disable'}
      </AllowedButton>
      <AllowedButton needs="owner" color="red.9" onClick={() => open('delete')}>
        Delete
      </AllowedButton>
    </>
  )
}

/** What came of a test event. */
function tell({ status, error, duration_ms }: WebhookAttempt): void {
  const isReceived = status !== null && status >= 200 && status < 300
  notifications.show({
    color: isReceived ? 'green' : 'red',
    title: isReceived ? 'The test event was received' : 'The test event was not received',
    message: status === null ? (error ?? '') : `The answer was ${status}, after ${duration_ms} ms.`,
  })
}

function Details({ webhook }: { readonly webhook: Webhook }) {
  const { state } = webhook
  const kept = useEventsKept()
  return (
    <Stack>
      <RoleNotice needs="owner" what="webhooks" />
      {state === 'disabled' && (
        <Alert color="gray" icon={<Icon name="info" />} title="Nothing is sent to it">
          {disabledText(webhook)} Enable it, and it receives what has happened meanwhile, for up to {kept}.
        </Alert>
      )}
      {state === 'failing' && (
        <Alert color="orange" icon={<Icon name="warning" />} title="Its latest attempts have failed">
          Failed deliveries are tried again for about three days. After 5 days without a success, the webhook is
          disabled and the owners are told.
        </Alert>
      )}
      <WebhookFacts webhook={webhook} />
      <DeliveriesPanel webhook={webhook} />
      <Panel title="Verify what you receive" lead="Put the signing secret into the environment as WEBHOOK_SECRET.">
        <VerifySnippets />
      </Panel>
    </Stack>
  )
}
