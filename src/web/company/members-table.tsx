import { Badge, Group, NativeSelect, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Member } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { When } from '../parts/when.tsx'
import { refresh, renewSession } from '../queries.ts'
import { useRefusal } from '../session.tsx'
import { isRole, roleLabel, roles } from './roles.ts'

interface MembersTableProps {
  readonly members: readonly Member[]
  readonly remove: (member: Member) => void
}

export function MembersTable({ members, remove }: MembersTableProps) {
  const columns: readonly DataColumn<Member>[] = [
    { header: 'Name', cell: (member) => <Name member={member} /> },
    { header: 'E-mail', cell: ({ email }) => <span className="wrap">{email}</span> },
    { header: 'Role', cell: (member) => <RoleField member={member} /> },
    { header: 'Joined', cell: ({ created_at }) => <When at={created_at} as="day" /> },
    {
      header: 'Actions',
      cell: (member) => (
        <AllowedButton
          needs={member.is_you ? 'viewer' : 'owner'}
          size="xs"
          variant="default"
          onClick={() => remove(member)}
          aria-label={member.is_you ? 'Leave the company' : `Remove ${member.name}`}
        >
          {member.is_you ? 'Leave' : 'Remove'}
        </AllowedButton>
      ),
    },
  ]
  return <DataTable caption="Members" columns={columns} rows={members} rowKey={({ person_id }) => person_id} />
}

function Name({ member: { name, is_you } }: { readonly member: Member }) {
  return (
    <Group gap="xs">
      <Text fw={600} size="sm" className="wrap">
        {name}
      </Text>
      {is_you && <Badge color="gray">You</Badge>}
    </Group>
  )
}

function RoleField({ member }: { readonly member: Member }) {
  const refusal = useRefusal('owner')
  const [isSaving, setSaving] = useState(false)
  if (refusal !== null) return <Text size="sm">{roleLabel(member.role)}</Text>
  const change = async (role: string) => {
    if (!isRole(role) || role === member.role) return
    setSaving(true)
    try {
      await send('PATCH', `/api/members/${member.person_id}`, { role })
      notifications.show({ message: `${member.name} is now ${roleLabel(role)}.` })
      if (member.is_you) await renewSession()
    } catch (error) {
      notifications.show({
        color: 'red',
        title: 'The role stays as it was',
        message: error instanceof Error ? error.message : String(error),
      })
    }
    await refresh('/api/members')
    setSaving(false)
  }
  return (
    <NativeSelect
      size="xs"
      w={130}
      aria-label={`Role of ${member.name}`}
      value={member.role}
      disabled={isSaving}
      onChange={(event) => void change(event.currentTarget.value)}
      data={roles.map(({ value, label }) => ({ value, label }))}
    />
  )
}
