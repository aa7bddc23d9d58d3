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
    isAddress(value) && !isTooLong(value, { maxLength })
      ? null
      : `an address that starts with http:// or https://, of at most ${maxLength} characters`,
}

const isAddress = (value: string): boolean => /^https?:\/\/[^\s/]\S*$/i.test(value) && URL.canParse(value)
