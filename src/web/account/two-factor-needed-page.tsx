import { Anchor, Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Company, Session } from '../api-types.ts'
import { LeaveDialog } from '../company/remove-dialog.tsx'
import { accountPath, pathIn } from '../paths.ts'
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
  /** Told when a key was made and its codes have to be seen, and when that has ended. */
  readonly settingUp: (isSettingUp: boolean) => void
  readonly done: () => Promise<unknown>
}

/** In the place of every page of a company that requires two factors, for members who have none, or did not sign in with them. */
export function TwoFactorNeededPage({ session, company, settingUp, done }: TwoFactorNeededPageProps) {
  const { person } = session
  const [isOn, setOn] = useState(false)
  useEffect(() => () => settingUp(false), [settingUp])
  const title = person.has_passkey ? 'Sign in with your passkey' : 'Set up two-factor sign-in'
  const lead = (
    <>
      <bdi>{company.name}</bdi> requires two-factor sign-in of all members.{' '}
      {person.has_passkey ? 'A passkey counts as that; your password alone does not.' : 'Set it up to go on.'}
    </>
  )
  return (
    <SignInFrame
      title={isOn ? 'Your recovery codes' : title}
      lead={isOn ? undefined : lead}
      below={<SignedInAs person={person} />}
    >
      {person.has_passkey && !isOn ? (
        <UsePasskey done={done} />
      ) : (
        <SetUp isOn={isOn} started={() => settingUp(true)} turnedOn={() => setOn(true)} done={done} />
      )}
      {!isOn && <WaysOut session={session} company={company} />}
    </SignInFrame>
  )
}

/** What can be done without two factors: the other companies, the account, and leaving. */
function WaysOut({ session: { companies }, company }: Pick<TwoFactorNeededPageProps, 'session' | 'company'>) {
  const [isLeaving, setLeaving] = useState(false)
  const others = companies.filter(({ id }) => id !== company.id)
  return (
    <>
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
      <Group justify="space-between" gap="xs">
        <Anchor size="sm" {...linkTo(pathIn(company.id, accountPath))}>
          Account
        </Anchor>
        <Anchor size="sm" component="button" type="button" onClick={() => setLeaving(true)}>
          Leave the company
        </Anchor>
      </Group>
      {isLeaving && <LeaveDialog company={company} close={() => setLeaving(false)} />}
    </>
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

interface SetUpProps extends Done {
  readonly isOn: boolean
  readonly started: () => void
  readonly turnedOn: () => void
}

function SetUp({ isOn, started, turnedOn, done }: SetUpProps) {
  const [isAdding, setAdding] = useState(false)
  const problem = usePasskeyProblem()
  return (
    <>
      <TwoFactorSetup started={started} turnedOn={turnedOn} done={done} />
      {problem === null && !isOn && (
        <Button variant="subtle" fullWidth onClick={() => setAdding(true)}>
          Add a passkey instead
        </Button>
      )}
      {isAdding && <AddPasskeyDialog close={() => setAdding(false)} />}
    </>
  )
}
