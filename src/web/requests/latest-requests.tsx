import { Anchor } from '@mantine/core'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { usePlace } from '../router.tsx'
import { useLink } from '../session.tsx'
import { useLiveRequests } from './live-requests.ts'
import { RequestDialog } from './request-dialog.tsx'
import { closeRequest, RequestTable } from './request-table.tsx'
import { RequestTableOutline } from './request-table-outline.tsx'
import { NoRequests } from './requests-page.tsx'

interface LatestRequestsProps {
  /** Of all credentials without it. */
  readonly credentialId?: string
  /** How many there are at least, as far as is known. */
  readonly expected?: number
}

const rowsMax = 5

/** The last few requests as they come, and the way to all of them. */
export function LatestRequests({ credentialId, expected = rowsMax }: LatestRequestsProps) {
  const link = useLink()
  const opened = usePlace().search.get('request')
  const { newest, shown } = useLiveRequests({ credential: credentialId ?? null, limit: rowsMax, isLive: true })
  const requests = shown?.requests.slice(0, rowsMax) ?? []
  const isOfOne = credentialId !== undefined
  return (
    <Panel
      title="Latest requests"
      aside={
        <Anchor size="sm" {...link(isOfOne ? `/requests?credential=${credentialId}` : '/requests')}>
          All requests
        </Anchor>
      }
    >
      {newest.error && !shown && <FailureNotice error={newest.error} title="Could not load the requests" />}
      {!newest.error && !shown && <RequestTableOutline rows={Math.min(rowsMax, expected)} isOfOne={isOfOne} />}
      {shown && requests.length === 0 && <NoRequests isOn={shown.is_on} isNarrowed={false} />}
      {requests.length > 0 && <RequestTable requests={requests} isOfOne={isOfOne} />}
      {opened && <RequestDialog id={opened} close={closeRequest} />}
    </Panel>
  )
}
