import { Text } from '@mantine/core'
import { send } from '../api.ts'
import type { Company, Member } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { refresh, renewSession } from '../queries.ts'
import { navigate } from '../router.tsx'
import { useHere, useSend } from '../session.tsx'

export function RemoveDialog({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const { company } = useHere()
  const sendHere = useSend()
  const run = async () => {
    await sendHere('DELETE', `/members/${member.person_id}`)
    await refresh('/members')
  }
  return member.is_you ? (
    <LeaveDialog company={company} close={close} />
  ) : (
    <ConfirmDialog title={`Remove ${member.name}?`} action="Remove" run={run} close={close}>
      <Text>
        <bdi>{member.name}</bdi> sees nothing of <bdi>{company.name}</bdi> from now on. Credentials and webhooks that{' '}
        <bdi>{member.name}</bdi> made keep working: rotate the credentials whose secret <bdi>{member.name}</bdi> knows,
        and look where the webhooks send to.
      </Text>
    </ConfirmDialog>
  )
}

interface LeaveDialogProps {
  readonly company: Company
  readonly close: () => void
}

/** Also for members who see nothing of the company, because it requires two factors. */
export function LeaveDialog({ company, close }: LeaveDialogProps) {
  const run = async () => {
    await send('DELETE', `/api/account/companies/${company.id}`)
    await renewSession()
    navigate('/', 'replace')
  }
  return (
    <ConfirmDialog title={`Leave ${company.name}?`} action="Leave" run={run} close={close}>
      <Text>You will see nothing of this company any more, until an owner invites you again.</Text>
    </ConfirmDialog>
  )
}
