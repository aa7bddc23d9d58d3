import { memoize } from '../caches/memoize.ts'
import type { Selected } from '../plan/plan.ts'
import { typeOf } from '../resources/define.ts'
import { rowSeparator } from '../store/dialect.ts'
import { typeOfField } from '../types/find-cast.ts'
import { type ZoneClock, zoneClock } from '../types/zone-clock.ts'
import { parseRows } from './parse-rows.ts'

/** The JSON of some rows → the same, with its moments as a clock in another zone shows them. */
export function inTimeZone(text: string, selection: readonly Selected[], zone: string): string {
  const moments = momentsIn(selection)
  if (moments.size === 0) return text
  const clock = zoneClock(zone)
  return parseRows(text, selection)
    .map((row) => JSON.stringify(convert(row, moments, clock)))
    .join(rowSeparator)
}

/** Which members of a row are moments, and which are rows that have some. */
type Moments = ReadonlyMap<string, Moments | 'moment'>

const momentsIn = memoize((selection: readonly Selected[]): Moments => {
  const moments = new Map<string, Moments | 'moment'>()
  for (const selected of selection.flatMap(lifted)) {
    if (selected.kind === 'field') {
      if (typeOfField(selected.column && typeOf(selected.column), selected).isMoment)
        moments.set(selected.key, 'moment')
    } else {
      const inner = momentsIn(selected.plan.selection)
      if (inner.size > 0) moments.set(selected.key, inner)
    }
  }
  return moments
})

/** What a spread embed shows stands in the row around it. */
function lifted(selected: Selected): Selected[] {
  return selected.kind === 'embed' && selected.spread ? selected.plan.selection.flatMap(lifted) : [selected]
}

/** Changes what was parsed in its place: a copy of every row would cost as much as all the rest. */
function convert(value: unknown, what: Moments | 'moment', clock: ZoneClock): unknown {
  if (typeof value === 'string') return what === 'moment' ? clock(value) : value
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = convert(value[at], what, clock)
  } else if (isObject(value) && what !== 'moment') {
    for (const [key, inner] of what) if (Object.hasOwn(value, key)) value[key] = convert(value[key], inner, clock)
  }
  return value
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
