import { ApiError, failure } from '../errors/index.ts'

/** A JSON object that somebody has sent. */
export type Body = Readonly<Record<string, unknown>>

export const invalid = failure.definitionInvalid

/** Says of what is wrong in which part of the definition it is. */
export function inPart<Value>(part: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalid(error.message, error.more.hint ?? '', part)
  }
}

export function refuseOthers(body: Body, known: readonly string[]): void {
  const other = Object.keys(body).find((key) => !known.includes(key))
  if (other !== undefined) throw invalid(`A field has no "${other}"`, `Send ${known.join(', ')}.`)
}

interface Length {
  readonly minLength: number
  readonly maxLength: number
}

export function parseText(name: string, value: unknown, { minLength, maxLength }: Length): string {
  const text = typeof value === 'string' && value.isWellFormed() ? value.trim() : null
  const isGood = text !== null && text.length >= minLength && [...text].length <= maxLength && !/\p{Cc}/u.test(text)
  if (!isGood)
    throw invalid(`"${name}" must be a text`, `Send ${minLength} to ${maxLength} characters without line breaks.`)
  return text
}

export function parseFlag(name: string, value: unknown): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean') throw invalid(`"${name}" must be true or false`, 'Send a JSON boolean.')
  return value
}

export function parseCount(name: string, value: unknown, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw invalid(`"${name}" must be a number`, `Send an integer from 0 to ${most}.`)
  return value
}

export function parseObject(name: string, value: unknown): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`"${name}" must be an object`, 'Send a JSON object.')
  return value as Body
}
