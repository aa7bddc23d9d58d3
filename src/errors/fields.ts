import { define, type Failures } from './define.ts'

/** The definitions of a company's own fields. */
export const fields = {
  /** `part` is the part of the definition that has to change, for forms. */
  definitionInvalid: define(400, 'field_invalid', (message: string, hint: string, part?: string) => ({
    message,
    details: part === undefined ? null : `It is in "${part}".`,
    hint,
  })).inSettings(
    'A field cannot be called "id"',
    'The name is reserved for built-in columns. Choose another one.',
    'name',
  ),
  definitionUnknown: define(404, 'field_unknown', () => ({
    message: 'There is no such field',
    hint: 'Look for it in the list of fields.',
  })).inSettings(),
  fieldExists: define(409, 'field_exists', (name: string, isArchived: boolean) => ({
    message: `There is a field "${name}" already`,
    hint: isArchived
      ? 'It is archived. Restore it, or choose another name: this one is free again 30 days after it was archived.'
      : 'Choose another name.',
  })).inSettings('status', false),
  tooManyFields: define(409, 'too_many_fields', (what: string, most: number, hint?: string) => ({
    message: `A resource has at most ${most} ${what} of a company`,
    hint: hint ?? 'Archive one that nobody uses any more.',
  })).inSettings('fields', 64),
  fieldArchived: define(409, 'field_archived', (hint: string) => ({
    message: 'The field is archived',
    hint,
  })).inSettings('Restore it first.'),
  choiceInUse: define(409, 'choice_in_use', (value: string) => ({
    message: `There are rows with the value "${value}"`,
    hint: 'Close the choice for new rows instead, or give these rows another value first.',
  })).inSettings('lead'),
} satisfies Failures
