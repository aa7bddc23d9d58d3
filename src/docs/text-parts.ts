import type { Outline } from './schemas.ts'

/** Long enough that the work between two parts is worth a turn. */
const partLength = 64 * 1024

/** The text of a document, part by part. A part is longer where one value is. */
export function* textParts(outline: Outline): Generator<string> {
  let text = ''
  for (const piece of pieces(outline)) {
    text += piece
    if (text.length < partLength) continue
    yield text
    text = ''
  }
  yield text
}

function* pieces(outline: Outline): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(outline)) {
    yield `${before}${JSON.stringify(name)}:`
    if (typeof value === 'function') yield JSON.stringify(value())
    else yield* pieces(value)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
