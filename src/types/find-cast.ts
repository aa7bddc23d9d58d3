import { failure } from '../errors/index.ts'
import { rowCount } from './aggregate-results.ts'
import { type AggregatedType, castTypes } from './cast-types.ts'
import { type Aggregate, type CastName, castNames, type ShownType } from './column-type.ts'

/** The type of a value after a cast. null where there is no value, but a count of rows. */
export const castType = (of: AggregatedType | null, cast: CastName | null): AggregatedType | null =>
  cast === null || of === null ? of : castTypes[cast]

/** The type of a value, or of an aggregate. Without a value: the type of a row count. */
export function shownType(of: AggregatedType | null, aggregate: Aggregate | null): FieldType {
  if (of === null) return rowCount
  const result = aggregate === null ? 'same' : (of.aggregates[aggregate]?.result ?? rowCount)
  return result === 'same' ? of : result
}

/** Results of sum, avg and count are only shown; other values keep everything of their type. */
type FieldType = ShownType & Partial<AggregatedType>

interface CastField {
  readonly cast: CastName | null
  readonly aggregate: Aggregate | null
  readonly aggregateCast: CastName | null
}

/** The type of what a field shows of a column, after its casts and its aggregate. Without a column: of a row count. */
export const typeOfField = (of: AggregatedType | null, { cast, aggregate, aggregateCast }: CastField): FieldType =>
  aggregateCast === null ? shownType(castType(of, cast), aggregate) : castTypes[aggregateCast]

/** Other spellings of the same types. */
const synonyms: Readonly<Record<string, CastName>> = {
  varchar: 'text',
  'character varying': 'text',
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'time with time zone': 'timetz',
  'time without time zone': 'time',
  int2: 'smallint',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
  decimal: 'numeric',
  float8: 'double precision',
  bool: 'boolean',
  character: 'char',
}

/** The cast that a client names; null if the value has that type already. */
export function findCast(from: ShownType, name: string): CastName | null {
  const written = name.toLowerCase()
  const cast = Object.hasOwn(synonyms, written) ? synonyms[written] : castNames.find((known) => known === written)
  if (cast === undefined) throw failure.typeUnknown(name, castNames.join(', '))
  if (cast === from.name) return null
  if (!from.castsTo.includes(cast)) throw failure.castImpossible(from.name, cast)
  return cast
}
