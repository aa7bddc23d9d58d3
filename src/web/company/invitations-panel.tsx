import { Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../api.ts'
import type { Invitation } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { type DataColumn, DataTable } from '../parts/data-table.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useAnswer } from '../session.tsx'
import { roleLabel } from './roles.ts'

export function InvitationsPanel() {
  const invitations = useAnswer<readonly Invitation[]>('/api/invitations')
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const columns: readonly DataColumn<Invitation>[] = [
    { header: 'E-mail', cell: ({ email }) => <span className="wrap strong">{email}</span> },
    { header: 'Role', cell: ({ role }) => roleLabel(role) },
    { header: 'Invited by', cell: ({ invited_by }) => <span className="wrap">{invited_by}</span> },
    { header: 'Ends', cell: ({ expires_at }) => <When at={expires_at} /> },
    {
      header: 'Actions',
      cell: (one) => (
        <AllowedButton
          needs="owner"
          size="xs"
          variant="default"
          onClick={() => setWithdrawn(one)}
          aria-label={`Withdraw the invitation of ${one.email}`}
        >
          Withdraw
        </AllowedButton>
      ),
    },
  ]
  return (
    <Panel title="Open invitations">
      <Loaded query={invitations} what="the invitations" lines={2}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">Nobody has an open invitation.</Text>
          ) : (
            <DataTable caption="Open invitations" columns={columns} rows={found} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {withdrawn && (
        <ConfirmDialog
          title={`Withdraw the invitation of ${withdrawn.email}?`}
          action="Withdraw"
          run={async () => {
            await send('DELETE', `/api/invitations/${withdrawn.id}`)
            await refresh('/api/invitations')
          }}
          close={() => setWithdrawn(null)}
        >
          <Text>Its link stops working at once.</Text>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
