import { define, type Failures } from './define.ts'

/** Rows that are imported from a file. */
export const transfer = {
  nameUnknown: define(409, 'name_unknown', (one: string, name: string) => ({
    message: `There is no ${one} named "${name}"`,
    hint: `Create it first, or write the id of a ${one}.`,
  })).inSettings('bid', 'Harbour bridge'),
  nameAmbiguous: define(409, 'name_ambiguous', (one: string, name: string) => ({
    message: `There is more than one ${one} named "${name}"`,
    hint: `Write the id of the ${one} that is meant.`,
  })).inSettings('bid', 'Harbour bridge'),
  idUnknown: define(409, '23503', (one: string) => ({
    message: `There is no ${one} with this id`,
    hint: `Write the id or the name of a ${one}.`,
  })).inSettings('bid'),
  idTaken: define(409, '23505', (one: string) => ({
    message: `Another ${one}, or another row of the file, has this id`,
    hint: 'Leave the id out, and one is made.',
  })).inSettings('project'),
  cellMissing: define(400, '23502', () => ({
    message: 'Every row needs a value',
    hint: null,
  })).inSettings(),
  cellUnreadable: define(400, '22P02', (text: string, kind: string, hint: string) => ({
    message: `${text} is not ${kind}`,
    hint,
  })).inSettings('"many"', 'a whole number', 'Write digits alone, such as 1234.'),
  cellForbidden: define(400, '23514', (text: string, label: string, rule: string) => ({
    message: `${text} is not allowed`,
    hint: `${label} must have ${rule}.`,
  })).inSettings('"0"', 'Storeys', 'at least the value 1'),
  choiceUnknown: define(400, '23514', (text: string, labels: readonly string[]) => ({
    message: `${text} is none of ${someOf(labels)}`,
    hint: null,
  })).inSettings('"urgent"', ['Low', 'Medium', 'High']),
  choiceAmbiguous: define(400, '23514', (text: string, values: readonly string[]) => ({
    message: `${text} is the label of more than one choice`,
    hint: `Write the value: ${someOf(values, ' or ')}.`,
  })).inSettings('"High"', ['high', 'highest']),
  startNotAllowed: define(409, 'transition_not_allowed', (text: string, one: string, labels: readonly string[]) => ({
    message: `A new ${one} cannot have ${text}`,
    hint: `It can have ${someOf(labels)}.`,
  })).inSettings('"Won"', 'project', ['Lead']),
} satisfies Failures

const shownMax = 20

/** There may be a hundred choices. */
function someOf(names: readonly string[], between = ', '): string {
  const rest = names.length - shownMax
  return `${names.slice(0, shownMax).join(between)}${rest > 0 ? ` and ${rest} more` : ''}`
}
