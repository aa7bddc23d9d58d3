import { Anchor } from '@mantine/core'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Outline } from '../parts/loaded.tsx'
import { Panel } from '../parts/panel.tsx'
import { usePlace } from '../router.tsx'
import { useLink } from '../session.tsx'
import { useLiveRequests } from './live-requests.ts'
import { RequestDialog } from './request-dialog.tsx'
import { closeRequest, RequestTable } from './request-table.tsx'
import { NoRequests } from './requests-page.tsx'

interface LatestRequestsProps {
  /** Of all credentials without it. */
  readonly credentialId?: string
}

/** The last few requests as they come, and the way to all of them. */
export function LatestRequests({ credentialId }: LatestRequestsProps) {
  const link = useLink()
  const opened = usePlace().search.get('request')
  const { newest, shown } = useLiveRequests({ credential: credentialId ?? null, limit: 5, isLive: true })
  const requests = shown?.requests.slice(0, 5) ?? []
  return (
    <Panel
      title="Latest requests"
      aside={
        <Anchor size="sm" {...link(credentialId === undefined ? '/requests' : `/requests?credential=${credentialId}`)}>
          All requests
        </Anchor>
      }
    >
      {newest.error && !shown && <FailureNotice error={newest.error} title="Could not load the requests" />}
      {!newest.error && !shown && <Outline lines={3} />}
      {shown && requests.length === 0 && <NoRequests isOn={shown.is_on} isNarrowed={false} />}
      {requests.length > 0 && <RequestTable requests={requests} isOfOne={credentialId !== undefined} />}
      {opened && <RequestDialog id={opened} close={closeRequest} />}
    </Panel>
  )
}
