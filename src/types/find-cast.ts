import { failure } from '../errors.ts'
import { type Aggregate, type CastName, type ColumnType, castNames } from './column-type.ts'

/** What can be cast: a column's value, or a number of rows. */
export type Castable = Pick<ColumnType, 'name'> & { readonly sqlite: Pick<ColumnType['sqlite'], 'casts'> }

/** What `count` gives. */
export const rowCount: Castable = {
  name: 'bigint',
  sqlite: { casts: { bigint: '$', integer: '$', text: 'cast($ as text)' } },
}

/** What an aggregate gives, of a column or of rows. */
export const resultType = (of: ColumnType | null, aggregate: Aggregate | null): Castable =>
  of !== null && (aggregate === null || of.aggregates[aggregate] === 'same') ? of : rowCount

/** Other spellings of the same types. */
const synonyms: Readonly<Record<string, CastName>> = {
  varchar: 'text',
  'character varying': 'text',
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
}

/** The cast that a client names, if values of this type can be cast so. */
export function findCast(from: Castable, name: string): CastName {
  const written = name.toLowerCase()
  const cast = Object.hasOwn(synonyms, written) ? synonyms[written] : castNames.find((known) => known === written)
  if (cast === undefined) throw failure.typeUnknown(name, castNames.join(', '))
  if (from.sqlite.casts[cast] === undefined) throw failure.castImpossible(from.name, cast)
  return cast
}
