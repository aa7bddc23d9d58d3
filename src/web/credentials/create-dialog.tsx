import { List, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Access, IssuedCredential } from '../api-types.ts'
import { DialogForm } from '../parts/dialog-form.tsx'
import { dayMs } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { RateField } from './rate-field.tsx'
import { SecretDialog } from './secret-dialog.tsx'

export function CreateDialog({ close }: { readonly close: (made: IssuedCredential | null) => void }) {
  return (
    <SecretDialog
      title="New credential"
      issuedTitle="Your new credential"
      wayOut={({ name }) => ({ words: <Lost name={name} /> })}
      close={close}
    >
      {(issue) => <CreateForm issue={issue} cancel={() => close(null)} />}
    </SecretDialog>
  )
}

const Lost = ({ name }: { readonly name: string }) => (
  <>
    <bdi className="strong">{name}</bdi> stays without a secret that anybody knows: rotate it for a new one, or revoke
    it.
  </>
)

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

const fields = { name: 'Name', expires_at: 'Last day', rate_limit: 'Rate limit' }

function CreateForm({ issue, cancel }: CreateFormProps) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<Access>('read')
  const [expiry, setExpiry] = useState('90')
  const [date, setDate] = useState('')
  const [rate, setRate] = useState<string | null>(null)
  const send = useSend()
  const task = useTask(async () => {
    const body = { name: name.trim(), access, expires_at: expiryTime(expiry, date), rate_limit: rate }
    issue(await send<IssuedCredential>('POST', '/credentials', body))
    void refresh('/credentials', '/overview')
  })
  return (
    <DialogForm
      task={task}
      action="Create credential"
      failed="Could not create the credential"
      cancel={cancel}
      fields={fields}
    >
      {(errorAt) => (
        <>
          <TextInput
            label="Name"
            description="Which application uses it, for example “Nightly report”."
            required
            withAsterisk={false}
            maxLength={100}
            autoComplete="off"
            dir="auto"
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            {...errorAt('name')}
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
            {...(expiry === 'date' ? {} : errorAt('expires_at'))}
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
              {...errorAt('expires_at')}
            />
          )}
          <RateField rate={rate} onChange={setRate} {...errorAt('rate_limit')} />
          <KeepItSafe />
        </>
      )}
    </DialogForm>
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
