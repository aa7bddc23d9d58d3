import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Panel } from '../parts/panel.tsx'
import { renewSession } from '../queries.ts'
import { useAnswer, useHere, useLink, useSend } from '../session.tsx'

/** Whether members have to sign in with two factors, and how many do. */
export function TwoFactorRulePanel() {
  const { company, person } = useHere()
  const [isAsking, setAsking] = useState(false)
  const link = useLink()
  const isRequired = company.two_factor_required
  const refusal = isRequired || person.two_factor ? null : 'Set it up for yourself first.'
  return (
    <Panel title="Two-factor sign-in" lead="A code of a phone besides the password, or a passkey in place of both.">
      <Stack align="flex-start">
        <Text>
          {isRequired ? 'It is required of all members.' : 'Each member decides.'} <Count />
        </Text>
        {!person.two_factor && company.role === 'owner' && (
          <Text size="sm">
            To require it of others, <Anchor {...link('/account')}>set it up for yourself</Anchor> first, or sign in
            with a passkey.
          </Text>
        )}
        <AllowedButton needs="owner" because={refusal} variant="default" onClick={() => setAsking(true)}>
          {isRequired ? 'Make it optional' : 'Require it of all members'}
        </AllowedButton>
      </Stack>
      {isAsking && <RuleDialog isRequired={isRequired} close={() => setAsking(false)} />}
    </Panel>
  )
}

function Count() {
  const { data: members } = useAnswer<readonly Member[]>('/members')
  const { role } = useHere().company
  const link = useLink()
  if (!members) return null
  const having = members.filter(({ two_factor }) => two_factor).length
  return (
    <>
      {having} of {members.length} {members.length === 1 ? 'member has' : 'members have'} codes or a passkey.{' '}
      {role === 'owner' && having < members.length && (
        <Anchor {...link('/members?where=two_factor.eq.off')}>Show the others</Anchor>
      )}
    </>
  )
}

function RuleDialog({ isRequired, close }: { readonly isRequired: boolean; readonly close: () => void }) {
  const send = useSend()
  const run = async () => {
    await send('PUT', '/company/two-factor', { required: !isRequired })
    await renewSession()
  }
  return isRequired ? (
    <ConfirmDialog title="Make two-factor sign-in optional?" action="Make it optional" run={run} close={close}>
      <Text>Members can then turn it off. Those who have set it up keep it.</Text>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog title="Require two-factor sign-in?" action="Require it" isGrave={false} run={run} close={close}>
      <Text>
        Members who have not set it up see nothing of the company until they do: the page leads them through it.
        Credentials keep working.
      </Text>
    </ConfirmDialog>
  )
}
