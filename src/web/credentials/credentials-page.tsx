import { SegmentedControl, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Credential } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Page } from '../parts/page.tsx'
import { useNow } from '../parts/when.tsx'
import { changeSearch, usePlace } from '../router.tsx'
import { useAnswer, useLink, useRefusal } from '../session.tsx'
import { ListSummary } from '../table/list-summary.tsx'
import { ListTable } from '../table/list-table.tsx'
import { listedRows } from '../table/listed-rows.ts'
import type { RowAction } from '../table/row-menu.tsx'
import { openRow, useTableView } from '../table/table-view.ts'
import { CreateDialog } from './create-dialog.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { CredentialDialog, type DialogName } from './credential-dialog.tsx'
import { CredentialPanel } from './credential-panel.tsx'
import { NoCredentials } from './no-credentials.tsx'
import { RevokeSeveralDialog } from './revoke-dialog.tsx'
import { byAttention } from './warnings.ts'

type Open =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'revoke several'; readonly credentials: readonly Credential[] }
  | { readonly dialog: DialogName; readonly credential: Credential }
  | null

export function CredentialsPage() {
  const credentials = useAnswer<RowPage<Credential>>('/credentials', { refetchInterval: 15_000 }, getRows)
  const [open, setOpen] = useState<Open>(null)
  const view = useTableView()
  const isRevoked = usePlace().search.get('state') === 'revoked'
  const refusal = useRefusal('developer')
  const now = useNow()
  const close = () => setOpen(null)
  const create = () => setOpen({ dialog: 'create' })
  const all = credentials.data?.rows ?? []
  const shown = byAttention(
    all.filter(({ state }) => (state === 'revoked') === isRevoked),
    now,
  )
  const menu = useMenu((dialog, credential) => setOpen({ dialog, credential }))
  return (
    <Page
      title="Credentials"
      lead="The keys and secrets with which your applications call the API."
      actions={
        all.length > 0 ? (
          <AllowedButton needs="developer" onClick={create} leftSection={<Icon name="plus" />}>
            New credential
          </AllowedButton>
        ) : undefined
      }
    >
      <Stack>
        <RoleNotice needs="developer" what="the credentials" />
        {credentials.data && all.length === 0 ? (
          <NoCredentials create={create} />
        ) : (
          <ListTable
            query={credentials}
            pick={() => listedRows(shown, credentialColumns, view)}
            one="credential"
            many="credentials"
            columns={credentialColumns}
            view={view}
            rowKey={({ id }) => id}
            nameOf={({ name }) => name}
            searched="name, key or person"
            tabs={<Tabs all={all} isRevoked={isRevoked} />}
            menu={menu}
            bulk={
              refusal === null && !isRevoked
                ? [
                    {
                      label: 'Revoke',
                      isGrave: true,
                      run: (some) => setOpen({ dialog: 'revoke several', credentials: some }),
                    },
                  ]
                : []
            }
            panel={(id, closePanel) => {
              const credential = all.find((one) => one.id === id)
              return credential && <CredentialPanel credential={credential} close={closePanel} />
            }}
            summary={(total) => <ListSummary one="credential" many="credentials" total={total} view={view} />}
            footer={<NotShown count={(credentials.data?.total ?? 0) - all.length} />}
          />
        )}
      </Stack>
      <OpenDialog open={open} close={close} />
    </Page>
  )
}

/** Revoked credentials are out of the way, behind a tab. */
function Tabs({ all, isRevoked }: { readonly all: readonly Credential[]; readonly isRevoked: boolean }): ReactNode {
  const revoked = all.filter(({ state }) => state === 'revoked').length
  if (revoked === 0 && !isRevoked) return null
  return (
    <SegmentedControl
      size="xs"
      aria-label="State"
      data={[
        { value: 'usable', label: `In use (${all.length - revoked})` },
        { value: 'revoked', label: `Revoked (${revoked})` },
      ]}
      value={isRevoked ? 'revoked' : 'usable'}
      onChange={(value) => changeSearch({ state: value === 'revoked' ? value : null, page: null, open: null })}
    />
  )
}

function NotShown({ count }: { readonly count: number }) {
  if (count <= 0) return null
  const words =
    count === 1
      ? 'One older credential is not shown.'
      : `${count.toLocaleString('en')} older credentials are not shown.`
  return <Text c="dimmed">{words}</Text>
}

function useMenu(
  open: (dialog: DialogName, credential: Credential) => void,
): (credential: Credential) => readonly RowAction[] {
  const link = useLink()
  const refusal = useRefusal('developer')
  return (credential) => {
    const { id, state, secrets, api_key } = credential
    const ended = state === 'active' ? null : `It is ${state}.`
    const revoked = state === 'revoked' ? ended : null
    const two = secrets.length > 1 ? 'Two secrets work already.' : null
    return [
      { label: 'Open', icon: 'open', link: link(`/credentials/${id}`) },
      { label: 'Details', icon: 'info', run: () => openRow(id) },
      { label: 'Copy key', icon: 'copy', run: () => void navigator.clipboard?.writeText(api_key) },
      { label: 'Rename', icon: 'edit', run: () => open('rename', credential), refusal },
      { label: 'Access', icon: 'account', run: () => open('access', credential), refusal: refusal ?? ended },
      { label: 'Expiry', icon: 'activity', run: () => open('expiry', credential), refusal: refusal ?? revoked },
      { label: 'Duplicate', icon: 'plus', run: () => open('duplicate', credential), refusal },
      {
        label: 'Rotate secret',
        icon: 'rotate',
        run: () => open('rotate', credential),
        refusal: refusal ?? ended ?? two,
      },
      {
        label: 'Revoke',
        icon: 'trash',
        run: () => open('revoke', credential),
        refusal: refusal ?? revoked,
        isGrave: true,
      },
    ]
  }
}

function OpenDialog({ open, close }: { readonly open: Open; readonly close: () => void }) {
  if (open === null) return null
  if (open.dialog === 'create') return <CreateDialog close={close} />
  if (open.dialog === 'revoke several') return <RevokeSeveralDialog credentials={open.credentials} close={close} />
  return <CredentialDialog name={open.dialog} credential={open.credential} close={close} />
}
