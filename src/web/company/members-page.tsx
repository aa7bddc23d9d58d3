import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { Invitation, KnownPerson, Member } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer, useHere } from '../session.tsx'
import { AddDialog } from './add-dialog.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersTable } from './members-table.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

export function MembersPage() {
  const { company } = useHere()
  const members = useAnswer<readonly Member[]>('/members')
  const isOwner = company.role === 'owner'
  const invitations = useAnswer<readonly Invitation[]>('/invitations', { enabled: isOwner })
  const known = useKnownPeople()
  const [open, setOpen] = useState<'invite' | 'add' | null>(null)
  const [leaving, setLeaving] = useState<Member | null>(null)
  const close = () => setOpen(null)
  return (
    <Page
      title="Members"
      lead={
        <>
          The people of <bdi>{company.name}</bdi>.
        </>
      }
      actions={
        <>
          {known.length > 0 && (
            <AllowedButton needs="owner" variant="default" onClick={() => setOpen('add')}>
              Add from another company
            </AllowedButton>
          )}
          <AllowedButton needs="owner" leftSection={<Icon name="plus" />} onClick={() => setOpen('invite')}>
            Invite someone
          </AllowedButton>
        </>
      }
    >
      <Stack>
        <RoleNotice needs="owner" what="the members" />
        <MembersTable query={members} remove={setLeaving} />
        {/* Not before it is known how tall the table is: a click meant for an invitation would miss it. */}
        {isOwner && !members.isPending && <InvitationsPanel query={invitations} />}
      </Stack>
      {open === 'invite' && <InviteDialog close={close} />}
      {open === 'add' && <AddDialog people={known} close={close} />}
      {leaving && <RemoveDialog member={leaving} close={() => setLeaving(null)} />}
    </Page>
  )
}

/** People whom the owner knows from other companies. Most have one company, and need not ask. */
function useKnownPeople(): readonly KnownPerson[] {
  const { company, companies } = useHere()
  const ownsOthers = companies.some(({ id, role }) => role === 'owner' && id !== company.id)
  const enabled = company.role === 'owner' && ownsOthers
  return useAnswer<readonly KnownPerson[]>('/members/known', { enabled }).data ?? []
}
