import { useIsReachable } from '../connection.ts'
import { Icon } from '../parts/icons.tsx'

/** Stays as long as the server cannot be reached. */
export function OfflineBanner() {
  const isReachable = useIsReachable()
  return (
    <div role="status">
      {!isReachable && (
        <p className="offline-banner">
          <Icon name="warning" size={16} /> The server cannot be reached. What you typed stays; the page goes on by
          itself.
        </p>
      )}
    </div>
  )
}
