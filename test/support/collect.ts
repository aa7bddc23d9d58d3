import type { Output } from '../../src/output/create-output.ts'

/** An output whose text ends up in an array at once. */
export const collect = (lines: string[]): Output => ({ write: (text) => void lines.push(text), flush: async () => {} })
