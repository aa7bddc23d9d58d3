import type { Control } from '../proof.ts'
import { synchronousLog } from '../unread-service.ts'

/** The guards that bound what a request costs, each broken on purpose. */
export const controls: readonly Control[] = [
  {
    breaks: 'repetitions within repetitions of a pattern are added in place of multiplied',
    notices: 'ms of another company',
    file: 'src/plan/prepare-patterns.ts',
    text: 'const sizes = patterns.map(({ pattern, ignoreCase }) => sizeOfPattern(pattern, ignoreCase))',
    instead: `const sizes = patterns.map(({ pattern }) => {
      const counts = [...pattern.matchAll(/\\{(\\d+)/g)].map(([, count]) => Number(count))
      return { parts: total(counts) / patterns.length, steps: 0, anchors: 0 }
    })`,
  },
  {
    breaks: 'a pattern is looked for in all rows on the thread of all companies, and without a deadline',
    notices: 'ms of another company',
    engines: ['sqlite'],
    file: 'src/store/effort.ts',
    text: 'const workMax = 100_000',
    instead: 'const workMax = Number.POSITIVE_INFINITY',
  },
  {
    breaks: 'a log that nobody reads is waited for',
    notices: 'ms of another company',
    ...synchronousLog,
  },
]
