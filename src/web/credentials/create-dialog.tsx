import { Button, Group, List, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Access, IssuedCredential } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { dayMs } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useTask } from '../use-task.ts'
import { RateField } from './rate-field.tsx'
import { SecretDialog } from './secret-dialog.tsx'

export function CreateDialog({ close }: { readonly close: (made: IssuedCredential | null) => void }) {
  return (
    <SecretDialog title="New credential" issuedTitle="Your new credential" close={close}>
      {(issue) => <CreateForm issue={issue} cancel={() => close(null)} />}
    </SecretDialog>
  )
}

const expiries = [
  { value: '90', label: 'In 90 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date …' },
  { value: 'none', label: 'Never' },
]

interface CreateFormProps {
  readonly issue: (issued: IssuedCredential) => void
  readonly cancel: () => void
}

function CreateForm({ issue, cancel }: CreateFormProps) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<Access>('read')
  const [expiry, setExpiry] = useState('90')
  const [date, setDate] = useState('')
  const [rate, setRate] = useState<string | null>(null)
  const task = useTask(async () => {
    const body = { name: name.trim(), access, expires_at: expiryTime(expiry, date), rate_limit: rate }
    issue(await send<IssuedCredential>('POST', '/api/credentials', body))
    void refresh('/api/credentials', '/api/overview')
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        task.start()
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Which application uses it, for example “Nightly report”."
          required
          withAsterisk={false}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group
          label="Access"
          value={access}
          onChange={(value) => setAccess(value === 'read' ? 'read' : 'read-write')}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="read" label="Read-only" description="Reads all data of the company." />
            <Radio value="read-write" label="Read-write" description="Also creates, changes and deletes it." />
          </Stack>
        </Radio.Group>
        <Select
          label="Expires"
          data={expiries}
          value={expiry}
          onChange={(value) => setExpiry(value ?? '90')}
          allowDeselect={false}
        />
        {expiry === 'date' && (
          <TextInput
            label="Last day"
            type="date"
            required
            withAsterisk={false}
            min={dayText(new Date(Date.now() + dayMs))}
            value={date}
            onChange={(event) => setDate(event.currentTarget.value)}
          />
        )}
        <RateField rate={rate} onChange={setRate} />
        <KeepItSafe />
        {task.error !== null && <FailureNotice error={task.error} title="Could not create the credential" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={task.isRunning}>
            Create credential
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function KeepItSafe() {
  return (
    <div className="quiet-box">
      <Text size="sm" fw={600} mb={4}>
        Keep the secret on your servers
      </Text>
      <List size="sm" spacing={2}>
        <List.Item>Not in a web page or a mobile app: whoever opens it can read the secret.</List.Item>
        <List.Item>Not in a repository, a ticket or a chat.</List.Item>
        <List.Item>Has it leaked? Rotate it here: the new secret works at once.</List.Item>
      </List>
    </div>
  )
}

/** A date means the end of that day, where the person is. */
function expiryTime(expiry: string, date: string): string | null {
  if (expiry === 'none') return null
  if (expiry === 'date') return new Date(`${date}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(expiry) * dayMs).toISOString()
}

const dayText = (time: Date): string =>
  [time.getFullYear(), String(time.getMonth() + 1).padStart(2, '0'), String(time.getDate()).padStart(2, '0')].join('-')
