import { Badge, Group, Text } from '@mantine/core'
import type { Member } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { When } from '../parts/when.tsx'
import { RoleField } from './role-field.tsx'

interface MembersTableProps {
  readonly members: readonly Member[]
  readonly remove: (member: Member) => void
}

export function MembersTable({ members, remove }: MembersTableProps) {
  const owners = members.filter(({ role }) => role === 'owner')
  const isOnlyOwner = (member: Member) => owners.length === 1 && owners[0] === member
  const reasonOf = (member: Member) =>
    isOnlyOwner(member) ? 'You are the only owner. Make another member an owner first.' : null
  const columns: readonly DataColumn<Member>[] = [
    { header: 'Name', cell: (member) => <Name member={member} /> },
    { header: 'E-mail', cell: ({ email }) => <span className="wrap">{email}</span> },
    { header: 'Role', cell: (member) => <RoleField member={member} isFixed={isOnlyOwner(member)} /> },
    { header: 'Joined', cell: ({ created_at }) => <When at={created_at} as="day" /> },
    {
      header: 'Actions',
      cell: (member) => (
        <AllowedButton
          needs={member.is_you ? 'viewer' : 'owner'}
          because={reasonOf(member)}
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
      <Text fw={600} size="sm" className="wrap" dir="auto">
        {name}
      </Text>
      {is_you && <Badge color="gray">You</Badge>}
    </Group>
  )
}
