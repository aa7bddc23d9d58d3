import type { Control } from '../proof.ts'

/** The guards that bound what a request costs, each broken on purpose. */
export const controls: readonly Control[] = [
  {
    breaks: 'repetitions within repetitions of a pattern are added in place of multiplied',
    notices: 'ms of another company',
    file: 'src/resources/pattern.ts',
    text: 'const repetitionsMax = 1000',
    instead: 'const repetitionsMax = 1_000_000',
  },
  {
    breaks: 'a pattern is looked for in all rows on the thread of all companies, and without a deadline',
    notices: 'ms of another company',
    engines: ['sqlite'],
    file: 'src/store/compile/compile-condition.ts',
    text: 'const fewConditions = 5',
    instead: 'const fewConditions = 500',
  },
  {
    breaks: 'a log that nobody reads is waited for',
    notices: 'ms of another company',
    file: 'src/log.ts',
    text: 'const waitingMax = 64 * 1024',
    instead: 'const waitingMax = 1024',
  },
]
