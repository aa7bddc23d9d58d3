import { failure } from '../errors/index.ts'

/** A write of so many rows is understood in a few hundredths of a second. More of them go in several requests. */
export const bodyRowsMax = 10_000

/** Of one row as it is sent: far more than its columns can hold. It is also how much is parsed without a pause. */
export const rowCharactersMax = 256 * 1024

/** Far more than any resource has. */
export const rowFieldsMax = 100

export const tooManyRows = () =>
  failure.tooMuch('rows', bodyRowsMax, `Send them in parts of at most ${bodyRowsMax} rows.`)

export const rowTooLong = () => failure.tooMuch('characters in one row', rowCharactersMax, 'Shorten its values.')
