import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, isFailure, send } from '../api.ts'
import type { InvitationOffer, Session } from '../api-types.ts'
import { Loaded } from '../parts/loaded.tsx'
import { pathIn } from '../paths.ts'
import { changeSession, leaveSession, renewSession, useSessionQuery } from '../queries.ts'
import { linkTo, navigate } from '../router.tsx'
import { EmailField, Form, NameField, PasswordField } from './form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export function InvitationPage({ token }: { readonly token: string }) {
  const path = `/api/invitation/${encodeURIComponent(token)}`
  const offer = useQuery({ queryKey: ['invitation', token], queryFn: () => get<InvitationOffer>(path), retry: false })
  const session = useSessionQuery()
  if (isFailure(offer.error, 'invitation_unknown')) {
    return (
      <SignInFrame title="This invitation is not open" below={<Anchor {...linkTo('/sign-in')}>Sign in</Anchor>}>
        <Text>
          It was used already or withdrawn, ended with the role of whoever sent it, or is older than a week. Ask for a
          new one.
        </Text>
      </SignInFrame>
    )
  }
  if (isFailure(offer.error, 'company_deleted')) {
    return (
      <SignInFrame title="This company is about to be deleted" below={<Anchor {...linkTo('/sign-in')}>Sign in</Anchor>}>
        <Text>
          So nobody can join it now. If an owner undoes the deletion within its seven days, this link works again, until
          the invitation is a week old.
        </Text>
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title={offer.data ? `Join ${offer.data.company}` : 'Invitation'}>
      <Loaded query={offer} what="the invitation" lines={3}>
        {(found) => <Join offer={found} path={path} session={session.data ?? null} token={token} />}
      </Loaded>
    </SignInFrame>
  )
}

interface JoinProps {
  readonly offer: InvitationOffer
  readonly path: string
  readonly token: string
  readonly session: Session | null
}

function Join({ offer, path, token, session }: JoinProps) {
  const accept = async () => {
    const joined = await send<Session>('POST', `${path}/accept`, {})
    changeSession(joined)
    navigate(joined.company ? pathIn(joined.company.id, '/') : '/', 'replace')
  }
  const intro = (
    <Text>
      You are invited as <strong>{offer.role}</strong>, with the address <strong>{offer.email}</strong>.
      {offer.two_factor_required &&
        ' This company requires two-factor sign-in: have a phone with an authenticator app at hand.'}
    </Text>
  )
  if (session && session.person.email.toLowerCase() !== offer.email.toLowerCase()) {
    return (
      <Stack>
        {intro}
        <Text>You are signed in as {session.person.email}. Sign out, then open this link again.</Text>
        <Button variant="default" onClick={() => void signOutHere()}>
          Sign out
        </Button>
      </Stack>
    )
  }
  if (session) {
    return (
      <Stack>
        {intro}
        <Form action={`Join ${offer.company}`} failed="Could not join" submit={accept}>
          {null}
        </Form>
      </Stack>
    )
  }
  return (
    <Stack>
      {intro}
      {offer.has_account ? (
        <SignInForm
          email={offer.email}
          action={`Sign in and join ${offer.company}`}
          failed="Could not join"
          done={accept}
        />
      ) : (
        <JoinForm email={offer.email} token={token} />
      )}
    </Stack>
  )
}

async function signOutHere(): Promise<void> {
  await send('POST', '/api/auth/sign-out', {})
  leaveSession()
}

/** A new account is made and joins in one step. */
function JoinForm({ email, token }: { readonly email: string; readonly token: string }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const submit = async () => {
    await send('POST', '/api/auth/sign-up/email', { name: name.trim(), email, password, invitation: token })
    await renewSession()
    navigate('/', 'replace')
  }
  return (
    <Form
      action="Create account and join"
      failed="Could not join"
      fields={{ name: 'Your name', email: 'E-mail', password: 'Password' }}
      submit={submit}
    >
      {(errorAt) => (
        <>
          <EmailField value={email} change={() => {}} readOnly {...errorAt('email')} />
          <NameField value={name} change={setName} {...errorAt('name')} />
          <PasswordField value={password} change={setPassword} isNew {...errorAt('password')} />
        </>
      )}
    </Form>
  )
}
