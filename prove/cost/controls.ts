import type { Control } from '../proof.ts'
import { blockingLog } from '../unread-service.ts'

/** The search ends with its first find; a busy machine takes long to get there. */
const patientSeconds = 50

/** The guards that bound what a request costs, each broken on purpose. */
export const controls: readonly Control[] = [
  {
    breaks: 'the size of a pattern, with repetitions within repetitions, is not looked at',
    notices: 'ms of another company',
    size: patientSeconds,
    file: 'src/plan/prepare-patterns.ts',
    text: 'const sizes = patterns.map(({ pattern, ignoreCase }) => sizeOfPattern(pattern, ignoreCase))',
    instead: 'const sizes: ReturnType<typeof sizeOfPattern>[] = []',
  },
  {
    breaks: 'a pattern is looked for in all rows on the thread of all companies, and without a deadline',
    notices: 'ms of another company',
    size: patientSeconds,
    engines: ['sqlite'],
    file: 'src/store/execute-read.ts',
    text: 'isLong ? db.readLong(statement) : db.read(statement)',
    instead: 'db.read(statement)',
  },
  {
    breaks: 'a log that nobody reads is waited for',
    notices: 'while nobody reads the log',
    ...blockingLog,
  },
]
