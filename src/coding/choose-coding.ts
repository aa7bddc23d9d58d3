import { memoizeText } from '../caches/memoize.ts'

/** In what answers are compressed on their way, the one that costs less first. */
export const codings = ['zstd', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** `gzip;q=0.5, zstd` → the most wanted of what is available; null: the answer as it is. The first of `available` wins a tie. */
export function createChooser<Available extends string>(
  available: readonly Available[],
): (header: string | null) => Available | null {
  const choose = memoizeText((header): Available | null => {
    const weights = parseWeights(header)
    const weightOf = (coding: string): number => weights.get(coding) ?? 0
    const [best] = available.toSorted((a, b) => weightOf(b) - weightOf(a))
    if (best === undefined || weightOf(best) === 0 || weightOf(best) < weightOf('identity')) return null
    return best
  })
  return (header) => (header === null ? null : choose(header))
}

/** How a client wants an answer of ours to be compressed. */
export const chooseCoding = createChooser(codings)

/** Browsers send about five. What comes behind them is ignored. */
const listedMax = 20

/** `gzip;q=0.5, *` → how much each is wanted, from 0 (not at all) to 1. */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map(header.toLowerCase().split(',', listedMax).map(parseWeight))
  const rest = weights.get('*')
  // Any coding would do, and every client understands this one.
  if (rest !== undefined && !weights.has('gzip')) weights.set('gzip', rest)
  return weights
}

/** `gzip;q=0.5` → gzip and 0.5 */
function parseWeight(text: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = text.split(';', 3).map((part) => part.trim())
  const [, weight = '1'] = /^q\s*=\s*(.*)$/.exec(parameters.find((one) => one.startsWith('q')) ?? '') ?? []
  return [coding === 'x-gzip' ? 'gzip' : coding, Math.min(Number(weight) || 0, 1)]
}
