import { ApiFailure } from '../api.ts'

/** The fields of a form: their names on the wire, and their labels. */
export type Fields = Readonly<Record<string, string>>

/** `{...errorAt('name')}` shows at a field what is wrong with it. */
export type ErrorAt = (name: string) => { readonly error?: string }

interface Complaint {
  readonly name: string
  readonly words: string
}

/** Parts a failure into what is said at a field, and what is left for the whole form. */
export function splitFailure(error: unknown, fields: Fields): { readonly errorAt: ErrorAt; readonly rest: unknown } {
  const complaint = complaintOf(error, fields)
  return {
    errorAt: (name) => (complaint?.name === name ? { error: complaint.words } : {}),
    rest: complaint ? null : error,
  }
}

function complaintOf(error: unknown, fields: Fields): Complaint | null {
  if (!(error instanceof ApiFailure)) return null
  const { code, message, details, hint } = error
  const [, part = ''] = /^It is in "(\w+)"\.$/.exec(details ?? '') ?? []
  const known = [part, ...(namesByCode[code] ?? [])].find((name) => name in fields)
  if (known !== undefined) return { name: known, words: [message, hint].filter(Boolean).join('. ') }
  for (const [name, label] of Object.entries(fields)) {
    const text = [message, hint, details].find((one) => one && mention(name).test(one))
    if (text) return { name, words: wordsByCode[code]?.(label, hint) ?? text.replace(mention(name), label) }
  }
  return null
}

/** `"bid_name"` or `(bid_id)` */
const mention = (name: string): RegExp => new RegExp(`["(]${name}[")]`)

/** Failures that are always about one field. */
const namesByCode: Readonly<Record<string, readonly string[]>> = {
  email_taken: ['email'],
  webhook_url_refused: ['url'],
  already_member: ['email'],
  mail_not_sent: ['email'],
  password_unfit: ['newPassword', 'password'],
  invalid_password: ['currentPassword', 'password'],
  invalid_code: ['code'],
  code_used: ['code'],
  field_exists: ['name'],
  choice_in_use: ['choices'],
}

/** Where the words of the API are for programs. */
const wordsByCode: Readonly<Record<string, (label: string, hint: string | null) => string>> = {
  '23502': (label) => `${label} is missing.`,
  '23503': () => 'It is not there any more. Choose another one.',
  transition_not_allowed: (label, hint) => `${label} cannot change to this now. ${hint ?? ''}`,
  '23505': (label) => `There is one with this ${label.toLowerCase()} already.`,
}
