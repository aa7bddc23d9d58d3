import { List, Text } from '@mantine/core'
import { useState } from 'react'
import type { Credential, IssuedCredential } from '../api-types.ts'
import { DialogForm } from '../parts/dialog-form.tsx'
import { NameField } from '../parts/name-field.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { AccessFields, type AccessForm, accessFields, isUsable, wideOpen } from './access-fields.tsx'
import { ExpiryField, type ExpiryForm, expiryFormOf, expiryTime } from './expiry-field.tsx'
import { RateField } from './rate-field.tsx'
import { SecretDialog } from './secret-dialog.tsx'

interface CreateDialogProps {
  /** The credential that the new one begins as a copy of. */
  readonly like?: Credential
  readonly close: (made: IssuedCredential | null) => void
}

export function CreateDialog({ like, close }: CreateDialogProps) {
  return (
    <SecretDialog
      title="New credential"
      issuedTitle="Your new credential"
      wayOut={({ name }) => ({ words: <Lost name={name} /> })}
      close={close}
    >
      {(issue) => <CreateForm like={like ?? null} issue={issue} cancel={() => close(null)} />}
    </SecretDialog>
  )
}

const Lost = ({ name }: { readonly name: string }) => (
  <>
    <bdi className="strong">{name}</bdi> stays without a secret that anybody knows: rotate it for a new one, or revoke
    it.
  </>
)

interface CreateFormProps {
  readonly like: Credential | null
  readonly issue: (issued: IssuedCredential) => void
  readonly cancel: () => void
}

const fields = { name: 'Name', expires_at: 'Last day', rate_limit: 'Rate limit', ...accessFields }

function CreateForm({ like, issue, cancel }: CreateFormProps) {
  const [name, setName] = useState(like ? `${like.name} (copy)`.slice(0, 100) : '')
  const [access, setAccess] = useState<AccessForm>(like ?? wideOpen)
  const [expiry, setExpiry] = useState<ExpiryForm>(() =>
    like?.expires_at === null ? expiryFormOf(null) : { choice: '90', date: '' },
  )
  const [rate, setRate] = useState(like?.rate_limit ?? null)
  const send = useSend()
  const task = useTask(async () => {
    const { may, resources, addresses } = access
    const narrowed = { access: access.access, may, resources, addresses }
    const body = { name: name.trim(), ...narrowed, expires_at: expiryTime(expiry), rate_limit: rate }
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
      isReady={isUsable(access)}
    >
      {(errorAt) => (
        <>
          <NameField
            description="Which application uses it, for example “Nightly report”."
            value={name}
            change={setName}
            {...errorAt('name')}
          />
          <AccessFields form={access} change={setAccess} errorAt={errorAt} />
          <ExpiryField form={expiry} change={setExpiry} {...errorAt('expires_at')} />
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
