import { Anchor, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Session } from '../api-types.ts'
import { renewSession, useSetup } from '../queries.ts'
import { linkTo, navigate } from '../router.tsx'
import { Form } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export function NewCompanyPage({ session }: { readonly session: Session }) {
  const [name, setName] = useState('')
  const { data: setup } = useSetup()
  const submit = async () => {
    await send('POST', '/api/company', { name: name.trim() })
    await renewSession()
    navigate('/', 'replace')
  }
  if (session.company && setup && setup.signup !== 'open') {
    return (
      <SignInFrame title="New company" below={<Anchor {...linkTo('/')}>Back to {session.company.name}</Anchor>}>
        <Text>On this installation only its operator makes further companies.</Text>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame
      title={session.company ? 'New company' : 'Name your company'}
      lead="Data and credentials belong to a company. Nobody outside of it sees them."
      below={session.company ? <Anchor {...linkTo('/')}>Back to {session.company.name}</Anchor> : undefined}
    >
      <Form action="Create company" failed="Could not create the company" submit={submit}>
        <TextInput
          label="Company name"
          name="organization"
          autoComplete="organization"
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </SignInFrame>
  )
}
