import { exactCastNames, exactCasts } from './cast-number.ts'
import type { AggregateRule, ShownType } from './column-type.ts'

/** The result of `count`. */
export const rowCount: ShownType = {
  name: 'bigint',
  castsTo: exactCastNames,
  sqlite: { toJson: '$', casts: exactCasts('cast($ as text)') },
  postgres: { toShown: '$', isPlain: false },
  isExact: false,
}

/** The result of sums and averages of exact numbers. In SQLite it is text, because its integers have only 64 bits. */
export const numeric: ShownType = {
  name: 'numeric',
  castsTo: exactCastNames,
  sqlite: { toJson: 'json($)', casts: exactCasts('$'), sortKey: 'numeric_key($)' },
  postgres: { toShown: '$', isPlain: false },
  isExact: true,
}

export const counted: AggregateRule = { result: rowCount }
export const same: AggregateRule = { result: 'same' }

const billions = 'cast(sum($ / 1000000000) as text)'
const below = 'cast(sum($ % 1000000000) as text)'

/** For integers that have `scale` digits after the decimal point. */
export const exactAggregates = (scale: number, postgresValue: string): Record<'sum' | 'avg', AggregateRule> => ({
  sum: { result: numeric, sqlite: `exact_sum(${billions}, ${below}, ${scale})`, postgres: `sum(${postgresValue})` },
  avg: {
    result: numeric,
    sqlite: `exact_average(${billions}, ${below}, count($), ${scale})`,
    postgres: `avg(${postgresValue})`,
  },
})
