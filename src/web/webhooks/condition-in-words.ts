import { ApiFailure } from '../api.ts'

/** What is wrong with a condition, for its field: the API says it to programs. */
export function conditionInWords(error: unknown): unknown {
  if (!(error instanceof ApiFailure)) return error
  const { status, code, requestId } = error
  const words = (wordsByCode[code] ?? (/^(PGRST|\d)/.test(code) ? unreadable : () => null))(error)
  return words === null ? error : new ApiFailure(status, code, words, 'It is in "filter".', null, requestId)
}

type Words = (failure: ApiFailure) => string | null

const form =
  'Write column=operator.value, such as project_name=eq.Bridge, project_name=like.A* or created_at=gte.2027-01-31.'

/** The first text that matches in parentheses, after what is said of it. */
const found = (pattern: RegExp, text: string | null, say: (found: string) => string): string => {
  const [, part] = pattern.exec(text ?? '') ?? []
  return part === undefined ? '' : say(part)
}

const meant = (pattern: RegExp, hint: string | null): string =>
  found(pattern, hint, (name) => ` Perhaps you mean “${name}”.`)

const unreadable: Words = ({ message, hint }) => {
  const part = found(/\((.*)\)" \(line/, message, (text) => `“${text}”`) || 'This condition'
  return `${part} cannot be read.${meant(/Perhaps you meant "(\w+)"/, hint)} ${form}`
}

const wrongValue: Words = ({ message, hint }) => {
  const value = found(/"(.*)"/, message, (text) => `“${text}”`) || 'This value'
  return `${value} is no value of this column. ${(hint ?? '').replace(/^Send/, 'Write')}`
}

const wordsByCode: Readonly<Record<string, Words>> = {
  invalid_settings_body: ({ message, hint }) =>
    message.startsWith('"filter"') ? `${message.replace('"filter"', 'The condition')}. ${hint ?? ''}` : null,
  // A condition without types of events is for all resources: their names say which columns are meant.
  '42703': ({ message, hint }) =>
    message.replace(/^column (\w+)\.(.+) does not exist$/, 'There is no column “$2” of a $1.') +
    meant(/"\w+\.(\w+)"/, hint) +
    found(/Columns: (.*)$/, hint, (names) => ` Its columns are ${names}`),
  '22P02': wrongValue,
  '22003': wrongValue,
  '22007': wrongValue,
  '22008': wrongValue,
  '42883': () =>
    'An operator does not fit its column: like is for texts, gt, gte, lt and lte are for texts, numbers and times.',
  PGRST108: () => 'Only columns of the row itself can be compared, not those of a row that it belongs to.',
  '2201B': () => 'The pattern after match is no regular expression.',
}
