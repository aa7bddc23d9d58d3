import { failure } from '../errors/index.ts'

const lengthMax = 200

/** A text to look for, or null. The engines refuse U+0000 in text. */
export function searchTextOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)?.trim() || null
  if (text !== null && (text.length > lengthMax || text.includes('\0') || !text.isWellFormed()))
    throw failure.settingsBodyInvalid(
      `"${name}" is not as it should be`,
      `Send a text of up to ${lengthMax} characters, or leave it out.`,
    )
  return text
}
