import { Anchor, Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { Company, Session } from '../api-types.ts'
import { pathIn } from '../paths.ts'
import { linkTo } from '../router.tsx'
import { usePasskeyProblem } from '../sign-in/passkey.ts'
import { PasskeyButton } from '../sign-in/passkey-button.tsx'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'
import { SignedInAs } from '../sign-in/signed-in-as.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

interface TwoFactorNeededPageProps {
  readonly session: Session
  readonly company: Company
  readonly done: () => Promise<unknown>
}

/** In the place of every page of a company that requires two factors, for members who have none, or did not sign in with them. */
export function TwoFactorNeededPage({ session: { person, companies }, company, done }: TwoFactorNeededPageProps) {
  const others = companies.filter(({ id }) => id !== company.id)
  const title = person.has_passkey ? 'Sign in with your passkey' : 'Set up two-factor sign-in'
  const lead = (
    <>
      <bdi>{company.name}</bdi> requires two-factor sign-in of all members.{' '}
      {person.has_passkey ? 'A passkey counts as that; your password alone does not.' : 'Set it up to go on.'}
    </>
  )
  return (
    <SignInFrame title={title} lead={lead} below={<SignedInAs person={person} />}>
      {person.has_passkey ? <UsePasskey done={done} /> : <SetUp done={done} />}
      {others.length > 0 && (
        <div>
          <Text size="sm">Your other companies:</Text>
          <ul className="company-list">
            {others.map(({ id, name }) => (
              <li key={id}>
                <Anchor {...linkTo(pathIn(id, '/'))} dir="auto">
                  {name}
                </Anchor>
              </li>
            ))}
          </ul>
        </div>
      )}
    </SignInFrame>
  )
}

type Done = Pick<TwoFactorNeededPageProps, 'done'>

function UsePasskey({ done }: Done) {
  const problem = usePasskeyProblem()
  return (
    <>
      {problem && <Text>{problem}</Text>}
      <PasskeyButton done={done} />
      <Text size="sm" c="dimmed">
        If you have lost your passkeys, the operator of this installation can let you in again.
      </Text>
    </>
  )
}

function SetUp({ done }: Done) {
  const [isAdding, setAdding] = useState(false)
  const problem = usePasskeyProblem()
  return (
    <>
      <TwoFactorSetup done={done} />
      {problem === null && (
        <Button variant="subtle" fullWidth onClick={() => setAdding(true)}>
          Add a passkey instead
        </Button>
      )}
      {isAdding && <AddPasskeyDialog close={() => setAdding(false)} />}
    </>
  )
}
