import { Alert } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import { Panel } from '../parts/panel.tsx'
import { refresh } from '../queries.ts'
import { useSession } from '../session.tsx'
import { Form, PasswordField } from '../sign-in/form.tsx'

const fields = { currentPassword: 'Current password', newPassword: 'New password' }

export function PasswordPanel() {
  const { person } = useSession()
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const [isChanged, setChanged] = useState(false)
  const submit = async () => {
    setChanged(false)
    const body = { currentPassword: current, newPassword: fresh, revokeOtherSessions: true }
    await send('POST', '/api/auth/change-password', body)
    setCurrent('')
    setFresh('')
    setChanged(true)
    await refresh('/sessions')
  }
  return (
    <Panel title="Password" lead="A new password signs you out everywhere else.">
      <div className="narrow-form">
        <Form isInPanel action="Change password" failed="Could not change the password" fields={fields} submit={submit}>
          {(errorAt) => (
            <>
              <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
              <PasswordField
                label="Current password"
                value={current}
                change={setCurrent}
                {...errorAt('currentPassword')}
              />
              <PasswordField label="New password" value={fresh} change={setFresh} isNew {...errorAt('newPassword')} />
              {isChanged && (
                <Alert color="green" role="status">
                  Your password is changed.
                </Alert>
              )}
            </>
          )}
        </Form>
      </div>
    </Panel>
  )
}
