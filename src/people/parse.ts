import { failure } from '../errors/index.ts'
import { isUuid } from '../types/uuid.ts'
import { hasControls } from './printable.ts'

type Body = Readonly<Record<string, unknown>>

/** A field of a body that must be text. */
export function parseText(body: Body, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed())
    throw failure.settingsBodyInvalid(`"${field}" is missing or no text`, `Send "${field}" as a JSON string.`)
  return value
}

/** The name of a person, a company or a credential, trimmed. */
export function parseName(body: Body, field: string): string {
  const name = parseText(body, field).trim()
  const problem = nameProblem(name)
  if (problem !== null)
    throw failure.settingsBodyInvalid(
      `"${field}" ${problem}`,
      'Send a name of 1 to 255 letters, digits, blanks and signs.',
    )
  return name
}

/** What is wrong with such a name, as the rest of a sentence; null: nothing. */
export function nameProblem(name: string): string | null {
  if (name.length < 1 || name.length > 255) return 'must have 1 to 255 characters that are not all blank'
  return hasControls(name) ? 'has a control character or one that turns the direction of text' : null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an address that holds one could break a mail's header
const emailSpelling = /^[^\s@"<>,;:\\()[\]\u0000-\u001f\u007f]+@[^\s@"<>,;:\\()[\]\u0000-\u001f\u007f]+\.[a-z0-9-]{2,}$/

/** An e-mail address in the spelling that is stored. */
export function parseEmail(body: Body, field: string): string {
  const email = parseText(body, field).trim().toLowerCase()
  if (email.length > 254 || !emailSpelling.test(email))
    throw failure.settingsBodyInvalid(`"${field}" is no e-mail address`, 'Write it as name@example.com.')
  return email
}

export function parseBoolean(body: Body, field: string): boolean {
  const value = body[field]
  if (typeof value !== 'boolean')
    throw failure.settingsBodyInvalid(`"${field}" must be true or false`, `Send "${field}" as a JSON boolean.`)
  return value
}

export function parseChoice<Choice extends string>(body: Body, field: string, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === body[field])
  if (found === undefined)
    throw failure.settingsBodyInvalid(`"${field}" is not one of the choices`, `Send one of ${choices.join(', ')}.`)
  return found
}

export function parseId(body: Body, field: string): string {
  const id = parseText(body, field)
  if (!isUuid(id))
    throw failure.settingsBodyInvalid(`"${field}" is no id`, 'An id looks like 01890a5d-ac96-774b-bcce-b302099a8057.')
  return id
}
