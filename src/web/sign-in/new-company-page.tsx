import { Anchor, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Company, Session } from '../api-types.ts'
import { pathIn } from '../paths.ts'
import { renewSession } from '../queries.ts'
import { linkTo, navigate } from '../router.tsx'
import { Form } from './form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** A further company. */
export function NewCompanyPage({ session }: { readonly session: Session }) {
  return (
    <SignInFrame
      title="New company"
      lead={
        session.may_create_company
          ? 'Data and credentials belong to a company. Nobody outside of it sees them.'
          : undefined
      }
      below={<Anchor {...linkTo('/')}>Back to {session.company?.name}</Anchor>}
    >
      {session.may_create_company ? (
        <CompanyForm />
      ) : (
        <Text>On this installation only its operator makes further companies.</Text>
      )}
    </SignInFrame>
  )
}

export function CompanyForm() {
  const [name, setName] = useState('')
  const submit = async () => {
    const { id } = await send<Company>('POST', '/api/company', { name: name.trim() })
    await renewSession()
    navigate(pathIn(id, '/'), 'replace')
  }
  return (
    <Form
      action="Create company"
      failed="Could not create the company"
      fields={{ name: 'Company name' }}
      submit={submit}
    >
      {(errorAt) => (
        <TextInput
          label="Company name"
          name="organization"
          autoComplete="organization"
          required
          withAsterisk={false}
          maxLength={255}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          {...errorAt('name')}
        />
      )}
    </Form>
  )
}
