import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Credential } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useAnswer } from '../session.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { CredentialsTable } from './credentials-table.tsx'
import { NoCredentials } from './no-credentials.tsx'

export function CredentialsPage() {
  const credentials = useAnswer<RowPage<Credential>>('/credentials', { refetchInterval: 15_000 }, getRows)
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  return (
    <Page
      title="Credentials"
      lead="The keys and secrets with which your applications call the API."
      actions={
        credentials.data?.rows.length ? (
          <AllowedButton needs="developer" onClick={create} leftSection={<Icon name="plus" />}>
            New credential
          </AllowedButton>
        ) : undefined
      }
    >
      <Stack>
        <RoleNotice needs="developer" what="the credentials" />
        <Loaded query={credentials} what="the credentials">
          {({ rows, total }) =>
            rows.length === 0 ? (
              <NoCredentials create={create} />
            ) : (
              <>
                <CredentialsTable credentials={rows} />
                {total > rows.length && <Text c="dimmed">{notShown(total - rows.length)}</Text>}
              </>
            )
          }
        </Loaded>
      </Stack>
      {isCreating && <CreateDialog close={() => setCreating(false)} />}
    </Page>
  )
}

const notShown = (count: number): string =>
  count === 1 ? 'One older credential is not shown.' : `${count.toLocaleString('en')} older credentials are not shown.`
