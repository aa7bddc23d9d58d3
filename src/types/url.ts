import type { ColumnType } from './column-type.ts'
import { isTooLong, text } from './text.ts'

const lengthDefault = 2000

/** The address of a web page. */
export const url: ColumnType<'string'> = {
  ...text,
  jsonSchema: { type: 'string', format: 'uri', examples: ['https://example.com/plans'] },
  filterExample: 'like.https://*',
  jsonBytesMax: ({ maxLength = lengthDefault }) => text.jsonBytesMax({ maxLength }),
  brokenRule: (value, { maxLength = lengthDefault }) =>
    !isTooLong(value, { maxLength }) && isAddress(value)
      ? null
      : `an address that starts with http:// or https://, of at most ${maxLength} characters`,
}

/** Of a value that is not too long: the time that the name of a host takes grows with the square of its labels. */
const isAddress = (value: string): boolean => /^https?:\/\/[^\s/]\S*$/i.test(value) && URL.canParse(value)
