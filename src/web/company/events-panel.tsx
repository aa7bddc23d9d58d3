import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { refresh } from '../queries.ts'
import { useAnswer, useSend } from '../session.tsx'

interface EventsSwitch {
  readonly on: boolean
}

const eventsPath = '/company/events'

/** Whether changes of rows make events. */
export function EventsPanel() {
  const [isAsking, setAsking] = useState(false)
  const query = useAnswer<EventsSwitch>(eventsPath)
  return (
    <Panel title="Events" lead="A record of every change of a row, for webhooks, live streams and your own programs.">
      <Loaded query={query} what="whether events are on" lines={2}>
        {({ on }) => (
          <Stack align="flex-start">
            <Text>{on ? meaningOfOn : meaningOfOff}</Text>
            <AllowedButton needs="owner" variant="default" onClick={() => setAsking(true)}>
              {on ? 'Turn events off' : 'Turn events on'}
            </AllowedButton>
            {isAsking && <EventsDialog isOn={on} close={() => setAsking(false)} />}
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

const meaningOfOn =
  'They are on: each change is kept as an event, sent to the webhooks, and shown at once in open tables.'
const meaningOfOff =
  'They are off: changes make no events, webhooks get nothing, and open tables show nothing new by themselves.'

function EventsDialog({ isOn, close }: { readonly isOn: boolean; readonly close: () => void }) {
  const send = useSend()
  const run = async () => {
    await send('PUT', eventsPath, { on: !isOn })
    await refresh(eventsPath)
  }
  return isOn ? (
    <ConfirmDialog title="Turn events off?" action="Turn them off" run={run} close={close}>
      <Text>
        Changes from then on make no events, also not later: webhooks get nothing, and live streams stay silent. Events
        that are there already are kept as long as before.
      </Text>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog title="Turn events on?" action="Turn them on" isGrave={false} run={run} close={close}>
      <Text>Every change from then on makes an event. What has changed while they were off makes none.</Text>
    </ConfirmDialog>
  )
}
