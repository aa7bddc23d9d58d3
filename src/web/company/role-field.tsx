import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import type { ChangedMember, Invitation, Member, Role } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { showFailure, showUndo } from '../parts/toasts.tsx'
import { refresh, renewSession } from '../queries.ts'
import { useAnswer, useHere, useRefusal, useSend } from '../session.tsx'
import { isRole, roleLabel, roles } from './roles.ts'

interface RoleFieldProps {
  readonly member: Member
  /** The only owner stays one. */
  readonly isFixed: boolean
}

/** The role of a member, and the way to another one: at once and with an undo, unless it is grave. */
export function RoleField({ member, isFixed }: RoleFieldProps) {
  const refusal = useRefusal('owner')
  const [asked, setAsked] = useState<Role | null>(null)
  const [isSaving, setSaving] = useState(false)
  const change = useRoleChange(member)
  const { data: invitations = [] } = useAnswer<readonly Invitation[]>('/invitations', { enabled: refusal === null })
  const sent = invitations.filter(({ invited_by }) => invited_by === member.email).length
  if (refusal !== null || isFixed) return <Text size="sm">{roleLabel(member.role)}</Text>
  const changeNow = async (role: Role) => {
    setSaving(true)
    await change(role).catch((error: unknown) => showFailure('The role stays as it was', error))
    setSaving(false)
  }
  const choose = (role: string | null) => {
    if (!isRole(role) || role === member.role) return
    if (role === 'owner' || member.is_you || sent > 0) setAsked(role)
    else void changeNow(role)
  }
  return (
    <>
      <Select
        size="xs"
        w={140}
        aria-label={`Role of ${member.name}`}
        value={member.role}
        // A field that is disabled would lose the focus.
        readOnly={isSaving}
        onChange={choose}
        allowDeselect={false}
        data={roles.map(({ value, label }) => ({ value, label }))}
      />
      {asked !== null && (
        <RoleDialog member={member} role={asked} sent={sent} run={() => change(asked)} close={() => setAsked(null)} />
      )}
    </>
  )
}

function useRoleChange(member: Member): (role: Role) => Promise<void> {
  const send = useSend()
  const put = async (role: Role): Promise<number> => {
    const { invitations_ended } = await send<ChangedMember>('PATCH', `/members/${member.person_id}`, { role })
    if (member.is_you) await renewSession()
    await refresh('/members', '/invitations')
    return invitations_ended
  }
  return async (role) => {
    const ended = await put(role)
    const message = `${member.is_you ? 'You are' : `${member.name} is`} now ${roleLabel(role)}.`
    const more = ended === 0 ? '' : ` ${invitationsText(ended)} ${ended === 1 ? 'has' : 'have'} ended.`
    // Whoever has stepped down has no right to take it back, and an invitation that has ended does not come back.
    showUndo(`${message}${more}`, member.is_you || ended > 0 ? null : () => put(member.role))
  }
}

const invitationsText = (count: number): string => (count === 1 ? 'One open invitation' : `${count} open invitations`)

interface RoleDialogProps {
  readonly member: Member
  readonly role: Role
  /** How many open invitations the member has sent. */
  readonly sent: number
  readonly run: () => Promise<void>
  readonly close: () => void
}

function RoleDialog({ member, role, sent, run, close }: RoleDialogProps) {
  const { company } = useHere()
  const ending = `${invitationsText(sent)} that ${member.is_you ? 'you have' : `${member.name} has`} sent ${sent === 1 ? 'ends' : 'end'}, and cannot be brought back.`
  if (!member.is_you && role !== 'owner') {
    return (
      <ConfirmDialog
        title={`Make ${member.name} a ${roleLabel(role).toLowerCase()}?`}
        action="Change role"
        run={run}
        close={close}
      >
        <Text>{ending}</Text>
      </ConfirmDialog>
    )
  }
  return member.is_you ? (
    <ConfirmDialog title={`Become ${roleLabel(role)}?`} action={`Become ${roleLabel(role)}`} run={run} close={close}>
      <Text>
        You give up the right to manage the members and the settings of <bdi>{company.name}</bdi>
        {role === 'viewer' && ', and to change anything at all'}. Only another owner can give it back to you.
        {sent > 0 && ` ${ending}`}
      </Text>
    </ConfirmDialog>
  ) : (
    <ConfirmDialog title={`Make ${member.name} an owner?`} action="Make owner" isGrave={false} run={run} close={close}>
      <Text>
        An owner of <bdi>{company.name}</bdi> can do everything: invite and remove people, you included, change roles
        and rename the company.
      </Text>
    </ConfirmDialog>
  )
}
