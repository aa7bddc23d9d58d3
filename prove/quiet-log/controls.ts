import type { Control } from '../proof.ts'

/** The guard that keeps the service apart from whoever reads its log, broken on purpose. */
export const controls: readonly Control[] = [
  {
    breaks: 'a log that nobody reads is waited for',
    notices: 'not answered',
    file: 'src/log.ts',
    text: 'const waitingMax = 64 * 1024',
    instead: 'const waitingMax = 1024',
  },
]
