import { Text } from '@mantine/core'
import type { Member } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { refresh, renewSession } from '../queries.ts'
import { navigate } from '../router.tsx'
import { useHere, useSend } from '../session.tsx'

export function RemoveDialog({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const { company } = useHere()
  const send = useSend()
  const run = async () => {
    await send('DELETE', `/members/${member.person_id}`)
    if (!member.is_you) return refresh('/members')
    await renewSession()
    navigate('/', 'replace')
  }
  return member.is_you ? (
    <ConfirmDialog title={`Leave ${company.name}?`} action="Leave" run={run} close={close}>
      <Text>You will see nothing of this company any more, until an owner invites you again.</Text>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog title={`Remove ${member.name}?`} action="Remove" run={run} close={close}>
      <Text>
        <bdi>{member.name}</bdi> sees nothing of <bdi>{company.name}</bdi> from now on. Credentials that{' '}
        <bdi>{member.name}</bdi> made keep working; rotate those whose secret <bdi>{member.name}</bdi> knows.
      </Text>
    </ConfirmDialog>
  )
}
