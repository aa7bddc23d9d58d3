import { expect, test } from 'bun:test'
import { castTypes } from '../../src/types/cast-types.ts'
import { castNames } from '../../src/types/column-type.ts'
import { columnTypes } from '../../src/types/index.ts'

test.each(Object.entries(columnTypes))(
  'PostgreSQL has lists of operands for %s unless it is never quantified',
  (_, type) => {
    expect(type.postgres.listOf === null).toBe('isNeverQuantified' in type)
  },
)

const shown = [...Object.entries(columnTypes), ...castNames.map((name) => [`${name} (cast)`, castTypes[name]] as const)]

test.each(shown)('SQLite has the casts of %s, and no others', (_, { castsTo, sqlite }) => {
  expect(Object.keys(sqlite.casts).toSorted()).toEqual([...castsTo].toSorted())
})
