import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer, useHere } from '../session.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersTable } from './members-table.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

export function MembersPage() {
  const { company } = useHere()
  const members = useAnswer<readonly Member[]>('/api/members')
  const [isInviting, setInviting] = useState(false)
  const [leaving, setLeaving] = useState<Member | null>(null)
  return (
    <Page
      title="Members"
      lead={`The people of ${company.name}.`}
      actions={
        <AllowedButton needs="owner" leftSection={<Icon name="plus" />} onClick={() => setInviting(true)}>
          Invite someone
        </AllowedButton>
      }
    >
      <Stack>
        <RoleNotice needs="owner" what="the members" />
        <Loaded query={members} what="the members">
          {(found) => <MembersTable members={found} remove={setLeaving} />}
        </Loaded>
        {company.role === 'owner' && <InvitationsPanel />}
      </Stack>
      {isInviting && <InviteDialog close={() => setInviting(false)} />}
      {leaving && <RemoveDialog member={leaving} close={() => setLeaving(null)} />}
    </Page>
  )
}
