import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { When } from '../parts/when.tsx'
import { refresh, useSetup } from '../queries.ts'
import { useSend } from '../session.tsx'
import { DataTable } from '../table/data-table.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { InviteAgainDialog } from './invite-dialog.tsx'
import { knownLink } from './links.ts'
import { roleLabel } from './roles.ts'

type Open = { readonly dialog: 'withdraw' | 'again'; readonly invitation: Invitation } | null

interface InvitationsPanelProps {
  readonly query: UseQueryResult<readonly Invitation[], Error>
}

export function InvitationsPanel({ query }: InvitationsPanelProps) {
  const [open, setOpen] = useState<Open>(null)
  const send = useSend()
  const close = () => setOpen(null)
  const columns: readonly TableColumn<Invitation>[] = [
    {
      id: 'email',
      header: 'E-mail',
      cell: ({ email }) => (
        <span className="clamp strong" title={email}>
          {email}
        </span>
      ),
      isWide: true,
    },
    { id: 'role', header: 'Role', cell: ({ role }) => roleLabel(role) },
    {
      id: 'invited_by',
      header: 'Invited by',
      cell: ({ invited_by }) => (
        <span className="clamp" title={invited_by}>
          {invited_by}
        </span>
      ),
      isWide: true,
    },
    { id: 'ends', header: 'Ends', cell: ({ expires_at }) => <When at={expires_at} as="planned" /> },
    {
      id: 'actions',
      header: 'Actions',
      cell: (invitation) => (
        <div className="row-actions">
          <LinkButton invitation={invitation} renew={() => setOpen({ dialog: 'again', invitation })} />
          <AllowedButton
            needs="owner"
            size="xs"
            variant="default"
            onClick={() => setOpen({ dialog: 'withdraw', invitation })}
            aria-label={`Withdraw the invitation of ${invitation.email}`}
          >
            Withdraw
          </AllowedButton>
        </div>
      ),
    },
  ]
  return (
    <Panel title="Open invitations">
      <Loaded query={query} what="the invitations" lines={2}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">Nobody has an open invitation.</Text>
          ) : (
            <DataTable caption="Open invitations" columns={columns} rows={found} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {open?.dialog === 'withdraw' && (
        <ConfirmDialog
          title={`Withdraw the invitation of ${open.invitation.email}?`}
          action="Withdraw"
          run={async () => {
            await send('DELETE', `/invitations/${open.invitation.id}`)
            await refresh('/invitations')
          }}
          close={close}
        >
          <Text>Its link stops working at once.</Text>
        </ConfirmDialog>
      )}
      {open?.dialog === 'again' && <InviteAgainDialog invitation={open.invitation} close={close} />}
    </Panel>
  )
}

interface LinkButtonProps {
  readonly invitation: Invitation
  readonly renew: () => void
}

/** The link again, while this page still knows it; otherwise the way to another one. */
function LinkButton({ invitation: { id, email }, renew }: LinkButtonProps) {
  const { data: setup } = useSetup()
  const link = knownLink(id)
  if (link !== null) return <CopyButton label="Copy link" describedAs={`Copy link for ${email}`} text={link} />
  const action = setup?.email_enabled ? 'Send again' : 'New link'
  return (
    <AllowedButton needs="owner" size="xs" variant="default" onClick={renew} aria-label={`${action} for ${email}`}>
      {action}
    </AllowedButton>
  )
}
