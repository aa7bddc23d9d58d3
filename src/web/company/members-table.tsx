import { Badge, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Member } from '../api-types.ts'
import { Fact } from '../parts/fact.tsx'
import { When } from '../parts/when.tsx'
import { useHere, useRefusal } from '../session.tsx'
import { choiceKind, dayKind, textKind } from '../table/filter.ts'
import { ListSummary } from '../table/list-summary.tsx'
import { ListTable } from '../table/list-table.tsx'
import { listedRows } from '../table/listed-rows.ts'
import type { RowAction } from '../table/row-menu.tsx'
import { SidePanel } from '../table/side-panel.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { openRow, useTableView } from '../table/table-view.ts'
import { RoleField } from './role-field.tsx'
import { roles } from './roles.ts'

interface MembersTableProps {
  readonly query: UseQueryResult<readonly Member[], Error>
  readonly remove: (member: Member) => void
}

export function MembersTable({ query, remove }: MembersTableProps) {
  const view = useTableView()
  const owners = (query.data ?? []).filter(({ role }) => role === 'owner')
  const isOnlyOwner = ({ role }: Member) => owners.length === 1 && role === 'owner'
  const columns = [...columnsOf(isOnlyOwner), ...(useHere().company.role === 'owner' ? [twoFactorColumn] : [])]
  const menu = useMenu(isOnlyOwner, remove)
  return (
    <ListTable
      query={query}
      pick={(members) => listedRows(members, columns, view)}
      one="member"
      many="members"
      columns={columns}
      view={view}
      rowKey={({ person_id }) => person_id}
      nameOf={({ name }) => name}
      searched="name or e-mail"
      menu={menu}
      panel={(id, close) => {
        const member = query.data?.find(({ person_id }) => person_id === id)
        return member && <MemberPanel member={member} isFixed={isOnlyOwner(member)} close={close} />
      }}
      summary={(total) => <ListSummary one="member" many="members" total={total} view={view} />}
    />
  )
}

const columnsOf = (isOnlyOwner: (member: Member) => boolean): readonly TableColumn<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (member) => <Name member={member} />,
    value: ({ name }) => name,
    firstOrder: 'asc',
    filter: textKind,
    isSearched: true,
    isWide: true,
  },
  {
    id: 'email',
    header: 'E-mail',
    cell: ({ email }) => (
      <span className="clamp" title={email}>
        {email}
      </span>
    ),
    value: ({ email }) => email,
    firstOrder: 'asc',
    filter: textKind,
    isSearched: true,
    isWide: true,
  },
  {
    id: 'role',
    header: 'Role',
    cell: (member) => <RoleField member={member} isFixed={isOnlyOwner(member)} />,
    value: ({ role }) => role,
    firstOrder: 'asc',
    filter: choiceKind(roles.map(({ value, label }) => ({ value, label }))),
  },
  {
    id: 'created_at',
    header: 'Joined',
    cell: ({ created_at }) => <When at={created_at} as="day" />,
    value: ({ created_at }) => created_at,
    firstOrder: 'desc',
    filter: dayKind,
  },
]

/** For owners, who can require it. */
const twoFactorColumn: TableColumn<Member> = {
  id: 'two_factor',
  header: 'Two-factor',
  cell: (member) => <TwoFactorBadge member={member} />,
  value: ({ two_factor }) => (two_factor ? 'on' : 'off'),
  firstOrder: 'asc',
  filter: choiceKind([
    { value: 'on', label: 'On' },
    { value: 'off', label: 'Off' },
  ]),
}

const TwoFactorBadge = ({ member: { two_factor } }: { readonly member: Member }) => (
  <Badge color={two_factor ? 'green' : 'gray'}>{two_factor ? 'On' : 'Off'}</Badge>
)

function useMenu(
  isOnlyOwner: (member: Member) => boolean,
  remove: (member: Member) => void,
): (member: Member) => readonly RowAction[] {
  const refusal = useRefusal('owner')
  const onlyOwner = 'You are the only owner. Make another member an owner first.'
  return (member) => [
    { label: 'Details', icon: 'info', run: () => openRow(member.person_id) },
    { label: 'Copy e-mail', icon: 'copy', run: () => void navigator.clipboard?.writeText(member.email) },
    {
      label: member.is_you ? 'Leave the company' : 'Remove',
      icon: 'leave',
      run: () => remove(member),
      refusal: !member.is_you ? refusal : isOnlyOwner(member) ? onlyOwner : null,
      isGrave: true,
    },
  ]
}

function Name({ member: { name, is_you } }: { readonly member: Member }) {
  return (
    <span className="clamp" title={name}>
      <bdi className="strong">{name}</bdi> {is_you && <Badge color="gray">You</Badge>}
    </span>
  )
}

interface MemberPanelProps {
  readonly member: Member
  readonly isFixed: boolean
  readonly close: () => void
}

function MemberPanel({ member, isFixed, close }: MemberPanelProps) {
  return (
    <SidePanel title={member.name} close={close}>
      <dl className="facts panel-facts">
        <Fact name="E-mail">
          <span className="wrap">{member.email}</span>
        </Fact>
        <Fact name="Role">
          <RoleField member={member} isFixed={isFixed} />
        </Fact>
        <Fact name="Can do">
          <Text size="sm">{roles.find(({ value }) => value === member.role)?.description}</Text>
        </Fact>
        <Fact name="Joined">
          <When at={member.created_at} as="minute" />
        </Fact>
        {useHere().company.role === 'owner' && (
          <Fact name="Two-factor">
            <TwoFactorBadge member={member} />
          </Fact>
        )}
      </dl>
    </SidePanel>
  )
}
