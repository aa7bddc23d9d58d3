import type { ColumnType } from './column-type.ts'
import { text } from './text.ts'

/** By RFC 5321. */
const lengthMax = 254

export const email: ColumnType<'string'> = {
  ...text,
  jsonSchema: { type: 'string', format: 'email', examples: ['ada@example.com'] },
  filterExample: 'ilike.*@example.com',
  jsonBytesMax: () => text.jsonBytesMax({ maxLength: lengthMax }),
  brokenRule: (value) =>
    value.length <= lengthMax && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
      ? null
      : `an e-mail address of at most ${lengthMax} characters`,
}
