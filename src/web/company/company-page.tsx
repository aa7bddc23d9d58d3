import { Code, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { splitFailure } from '../parts/field-errors.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { renewSession } from '../queries.ts'
import { useHere, useRefusal, useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { EndingPanel } from './ending-panel.tsx'
import { EventsPanel } from './events-panel.tsx'
import { TwoFactorRulePanel } from './two-factor-rule-panel.tsx'

export function CompanyPage() {
  const { company } = useHere()
  const [name, setName] = useState(company.name)
  const refusal = useRefusal('owner')
  const send = useSend()
  const task = useTask(async () => {
    await send('PATCH', '/company', { name: name.trim() })
    await renewSession()
    notifications.show({ message: 'The company has its new name.' })
  })
  const { errorAt, rest } = splitFailure(task.error, { name: 'Company name' })
  return (
    <Page title="Company" lead="Everything here belongs to it: data, credentials and members.">
      <Stack>
        <RoleNotice needs="owner" what="the settings of the company" />
        <Panel title="Name">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (refusal === null) task.start()
            }}
          >
            <Stack align="flex-start">
              <TextInput
                label="Company name"
                required
                withAsterisk={false}
                maxLength={255}
                w="100%"
                maw={480}
                readOnly={refusal !== null}
                dir="auto"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                {...errorAt('name')}
              />
              {rest !== null && <FailureNotice error={rest} title="Could not rename the company" />}
              <AllowedButton needs="owner" type="submit" loading={task.isRunning}>
                Save
              </AllowedButton>
            </Stack>
          </form>
        </Panel>
        <TwoFactorRulePanel />
        <EventsPanel />
        <Panel title="Id" lead="For the command line and for support. It is no secret.">
          <div className="inline-copy">
            <Code className="wrap">{company.id}</Code>
            <CopyButton label="Copy id" text={company.id} iconOnly />
          </div>
        </Panel>
        <EndingPanel />
      </Stack>
    </Page>
  )
}
