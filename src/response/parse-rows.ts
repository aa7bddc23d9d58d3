import { memoize } from '../caches/memoize.ts'
import type { Selected } from '../plan/plan.ts'
import { typeOf } from '../resources/define.ts'
import { typeOfField } from '../types/find-cast.ts'
import { keepDigits } from '../types/keep-digits.ts'

/** The JSON of some rows → the rows. A number with digits that JavaScript would drop is kept as its text. */
export const parseRows = (text: string, selection: readonly Selected[]): Record<string, unknown>[] =>
  (hasExact(selection) ? JSON.parse(`[${text}]`, keepDigits) : JSON.parse(`[${text}]`)) as Record<string, unknown>[]

/** Each value costs time to look at, so this is done only where there may be such a number. */
const hasExact = memoize((selection: readonly Selected[]): boolean =>
  selection.some((selected) =>
    selected.kind === 'embed'
      ? hasExact(selected.plan.selection)
      : typeOfField(selected.column && typeOf(selected.column), selected).isExact,
  ),
)
