import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Credential } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { NameList } from '../parts/name-list.tsx'
import { useNow, When } from '../parts/when.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { isInUse } from './warnings.ts'

export function RevokeDialog({ credential, close }: { readonly credential: Credential; readonly close: () => void }) {
  const { id, name, last_used, requests_24h } = credential
  const send = useSend()
  const inUse = isInUse(credential, useNow())
  const revoke = async () => {
    await send('POST', `/credentials/${id}/revoke`, {})
    await refresh('/credentials', '/overview')
    notifications.show({ message: `${name} is revoked.` })
  }
  return (
    <ConfirmDialog title={`Revoke ${name}?`} action="Revoke" typed={inUse ? name : null} run={revoke} close={close}>
      <Text>Whatever uses this credential is refused from now on. This cannot be undone.</Text>
      {last_used ? (
        <div className="quiet-box">
          <Text size="sm">
            It was last used <When at={last_used.at} />
            {last_used.address && ` from ${last_used.address}`}
            {last_used.user_agent && ` by ${last_used.user_agent}`}. {requests_24h.toLocaleString('en')}{' '}
            {requests_24h === 1 ? 'request' : 'requests'} within 24 hours.
          </Text>
        </div>
      ) : (
        <Text size="sm">It was never used.</Text>
      )}
      {inUse && (
        <Text size="sm" fw={600}>
          Something may still need it. To replace the secret without a gap, rotate it instead.
        </Text>
      )}
    </ConfirmDialog>
  )
}

interface RevokeSeveralDialogProps {
  readonly credentials: readonly Credential[]
  readonly close: () => void
}

/** Several at once. What is in use has to be revoked by its name, one at a time. */
export function RevokeSeveralDialog({ credentials, close }: RevokeSeveralDialogProps) {
  const send = useSend()
  const now = useNow()
  const used = credentials.filter((credential) => isInUse(credential, now))
  const idle = credentials.filter((credential) => !isInUse(credential, now))
  const revoke = async () => {
    for (const { id } of idle) await send('POST', `/credentials/${id}/revoke`, {})
    await refresh('/credentials', '/overview')
    notifications.show({
      message: `${idle.length} ${idle.length === 1 ? 'credential is' : 'credentials are'} revoked.`,
    })
  }
  return (
    <ConfirmDialog
      title={`Revoke ${idle.length} ${idle.length === 1 ? 'credential' : 'credentials'}?`}
      action="Revoke"
      isReady={idle.length > 0}
      run={revoke}
      close={close}
    >
      {idle.length > 0 && (
        <>
          <Text>Whatever uses them is refused from now on. This cannot be undone.</Text>
          <NameList label="Will be revoked" names={idle.map(({ name }) => name)} />
        </>
      )}
      {used.length > 0 && (
        <>
          <Text size="sm">
            Not revoked, because something has used them within a day. Revoke each of them on its own:
          </Text>
          <NameList label="Will not be revoked" names={used.map(({ name }) => name)} />
        </>
      )}
    </ConfirmDialog>
  )
}
