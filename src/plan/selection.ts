import type { Embed, Selected } from './plan.ts'

export const embedsOf = (selection: readonly Selected[]): Embed[] =>
  selection.filter((selected) => selected.kind === 'embed')

/** Whether rows are put together: an aggregate is selected, here or in something that is lifted up to here. */
export const isGrouped = (selection: readonly Selected[]): boolean =>
  selection.some((selected) =>
    selected.kind === 'field' ? selected.aggregate : selected.spread && isGrouped(selected.plan.selection),
  )

/** Whether something is shown that is not as it is stored: a cast or an aggregate may fail because of the values in the rows. */
export const isComputed = (selection: readonly Selected[]): boolean =>
  selection.some((selected) =>
    selected.kind === 'field'
      ? selected.cast !== null || selected.aggregate !== null || selected.aggregateCast !== null
      : isComputed(selected.plan.selection),
  )

/** Whether an embed shows nothing: it can only narrow the rows around it, and has no key in them. */
export const isEmpty = ({ plan }: Embed): boolean =>
  plan.selection.every((selected) => selected.kind === 'embed' && isEmpty(selected))
