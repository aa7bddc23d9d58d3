import type { Answer } from '../response/answer.ts'

/** The text of an answer. Of a long one, no more is read than tells that it is longer than `charactersMax`. */
export async function collectText(body: Answer['body'], charactersMax: number): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? ''
  let text = ''
  for await (const part of body) {
    text += part
    if (text.length > charactersMax) break
  }
  return text
}
