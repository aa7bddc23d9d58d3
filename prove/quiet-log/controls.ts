import type { Control } from '../proof.ts'
import { blockingLog } from '../unread-service.ts'

/** The guard that keeps the service apart from whoever reads its log, broken on purpose. */
export const controls: readonly Control[] = [
  {
    breaks: 'a log that nobody reads is waited for',
    notices: 'not answered',
    ...blockingLog,
  },
]
