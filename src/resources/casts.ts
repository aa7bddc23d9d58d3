import { failure } from '../errors.ts'
import { type ColumnTypeName, columnTypes } from './column-types.ts'

/** What a value is before it is cast: a column's type, or a count. */
export type SourceType = ColumnTypeName | 'count'
export type CastName = keyof typeof casts

const everything: readonly SourceType[] = ['uuid', 'text', 'timestamp', 'count']
const moments: readonly SourceType[] = ['timestamp']
const numbers: readonly SourceType[] = ['count']

/** Types that a selected value can be cast to, and what fits. */
const casts = {
  text: everything,
  uuid: ['uuid'],
  timestamptz: moments,
  timestamp: moments,
  date: moments,
  time: moments,
  integer: numbers,
  bigint: numbers,
} as const satisfies Record<string, readonly SourceType[]>

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

export function findCast(from: SourceType, name: string): CastName {
  const written = name.toLowerCase()
  const cast = Object.hasOwn(synonyms, written) ? synonyms[written] : written
  if (!isCast(cast)) throw failure.typeUnknown(name, Object.keys(casts).join(', '))
  const fits: readonly SourceType[] = casts[cast]
  if (!fits.includes(from)) throw failure.castImpossible(from === 'count' ? 'bigint' : columnTypes[from].name, cast)
  return cast
}

const isCast = (name: string | undefined): name is CastName => name !== undefined && Object.hasOwn(casts, name)
