import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import { Panel } from '../parts/panel.tsx'
import { renewSession, useSetup } from '../queries.ts'
import { useSession } from '../session.tsx'
import { EmailField, Form, NameField } from '../sign-in/form.tsx'
import { PasswordDialog } from './password-dialog.tsx'

export function YouPanel() {
  const { person } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <Panel title="You">
      <Stack>
        <NameForm />
        <Stack gap="xs" align="flex-start">
          <Text>
            You sign in as <bdi className="strong wrap">{person.email}</bdi>.
          </Text>
          {asked !== null && (
            <Alert color="green" role="status">
              An e-mail with a link is on its way to <bdi>{asked}</bdi>. The address changes once you open it, within an
              hour.
            </Alert>
          )}
          <AddressButton ask={() => setAsking(true)} />
        </Stack>
      </Stack>
      {isAsking && <EmailDialog asked={setAsked} close={() => setAsking(false)} />}
    </Panel>
  )
}

function NameForm() {
  const { person } = useSession()
  const [name, setName] = useState(person.name)
  const [isSaved, setSaved] = useState(false)
  const submit = async () => {
    setSaved(false)
    await send('PATCH', '/api/account', { name: name.trim() })
    await renewSession()
    setSaved(true)
  }
  return (
    <div className="narrow-form">
      <Form
        isInPanel
        action="Save name"
        failed="Could not change the name"
        fields={{ name: 'Your name' }}
        submit={submit}
      >
        {(errorAt) => (
          <>
            <NameField value={name} change={setName} {...errorAt('name')} />
            {isSaved && (
              <Alert color="green" role="status">
                Your name is changed.
              </Alert>
            )}
          </>
        )}
      </Form>
    </div>
  )
}

/** Where no mail is sent, the operator verifies the address. */
function AddressButton({ ask }: { readonly ask: () => void }) {
  const { person } = useSession()
  const { data: setup } = useSetup()
  if (setup && !setup.email_enabled) {
    return (
      <Text size="sm" c="dimmed">
        This installation sends no mail. Whoever runs it can change your address with the command{' '}
        <Code className="wrap">user change-email {person.email} NEW</Code>.
      </Text>
    )
  }
  return (
    <Group>
      <Button variant="default" onClick={ask}>
        Change e-mail
      </Button>
    </Group>
  )
}

interface EmailDialogProps {
  readonly asked: (email: string) => void
  readonly close: () => void
}

function EmailDialog({ asked, close }: EmailDialogProps) {
  const [email, setEmail] = useState('')
  const run = async (password: string) => {
    await send('POST', '/api/account/email', { email: email.trim(), password })
    asked(email.trim())
    close()
  }
  return (
    <PasswordDialog title="Change your e-mail address" action="Send link" hasFields run={run} close={close}>
      <Text>
        The new address gets a link. Until you open it, you sign in with the old one, which is told of the change.
      </Text>
      <EmailField label="New e-mail" value={email} change={setEmail} isFocused />
    </PasswordDialog>
  )
}
