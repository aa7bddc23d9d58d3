import { Text } from '@mantine/core'
import { send } from '../api.ts'
import type { Member } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { refresh, renewSession } from '../queries.ts'
import { navigate } from '../router.tsx'
import { useHere } from '../session.tsx'

export function RemoveDialog({ member, close }: { readonly member: Member; readonly close: () => void }) {
  const { company } = useHere()
  const run = async () => {
    await send('DELETE', `/api/members/${member.person_id}`)
    if (!member.is_you) return refresh('/api/members')
    navigate('/', 'replace')
    await renewSession()
  }
  return member.is_you ? (
    <ConfirmDialog title={`Leave ${company.name}?`} action="Leave" run={run} close={close}>
      <Text>You will see nothing of this company any more, until an owner invites you again.</Text>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog title={`Remove ${member.name}?`} action="Remove" run={run} close={close}>
      <Text>
        {member.name} is signed out of {company.name} at once. Credentials that {member.name} made keep working; rotate
        those whose secret {member.name} knows.
      </Text>
    </ConfirmDialog>
  )
}
