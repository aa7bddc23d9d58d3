import type { Hole } from '../request/parse-filter.ts'

/** No value begins with this sign. */
const sign = '\0'

/** Stands in a plan for a value that is kept apart. */
export const markOf = ({ place }: Hole): string => sign + place

/** The place of the value for which a text stands, or null for any other text. */
export const placeOf = (text: unknown): number | null =>
  typeof text === 'string' && text.startsWith(sign) ? Number(text.slice(sign.length)) : null
