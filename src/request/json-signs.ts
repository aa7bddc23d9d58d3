import { failure } from '../errors/index.ts'
import { rowCharactersMax, rowTooLong } from './row-limits.ts'

export const [quote, comma, colon] = [34, 44, 58]
export const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]
const backslash = 92

/** The place of the quote that closes the string whose first quote is at `start`. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (;;) {
    if (end < 0) throw invalidJson()
    if (end - start > rowCharactersMax) throw rowTooLong()
    if (!isEscaped(text, end)) return end
    end = text.indexOf('"', end + 1)
  }
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1
  return backslashes % 2 === 1
}

export const invalidJson = () =>
  failure.bodyInvalid('Empty or invalid json', 'Send a JSON object, or an array of objects.')
