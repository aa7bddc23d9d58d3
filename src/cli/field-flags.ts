import type { Body } from '../fields/parse-values.ts'
import { CommandError } from './command.ts'

type Flags = Readonly<Record<string, string | undefined>>

const required = true as const

/** Which field is meant. */
export const fieldName = {
  company: { value: 'ID_OR_NAME', meaning: 'The company', required },
  resource: { value: 'NAME', meaning: 'The resource: project or bid', required },
  name: { value: 'NAME', meaning: 'The name of the column', required },
} as const

/** What can be said of a new field, and of one that there is. */
export const fieldDetails = {
  label: { value: 'TEXT', meaning: 'What people call it (made of the name)' },
  description: { value: 'TEXT', meaning: 'What it is for' },
  choices: { value: 'VALUES', meaning: 'The values of a choice: lead,won, or lead:Label:color,won:Label:color' },
  closed: { value: 'VALUES', meaning: 'Choices that no further row gets' },
  initial: { value: 'VALUE', meaning: 'The choice that a new row has' },
  start: { value: 'initial|any', meaning: 'Whether a new row may have another choice (initial)' },
  transitions: { value: 'PAIRS', meaning: 'The changes of a choice that are allowed: lead>won,lead>lost' },
  required: { meaning: 'A row that is written needs a value' },
  default: { value: 'VALUE', meaning: 'What a new row has if nothing is sent; several choices: a,b' },
  indexed: { meaning: 'Filters and order use an index' },
  'min-length': { value: 'N', meaning: 'The fewest characters of a text' },
  'max-length': { value: 'N', meaning: 'The most characters of a text' },
  minimum: { value: 'VALUE', meaning: 'The least number, date or time' },
  maximum: { value: 'VALUE', meaning: 'The greatest number, date or time' },
  'min-choices': { value: 'N', meaning: 'The fewest of several choices' },
  'max-choices': { value: 'N', meaning: 'The most of several choices' },
} as const

/** What takes something away again. */
export const fieldRemovals = {
  optional: { meaning: 'A row needs no value any more' },
  'no-default': { meaning: 'A new row has no value if nothing is sent' },
  'no-transitions': { meaning: 'Every change of a choice is allowed' },
  'not-indexed': { meaning: 'There is no index any more' },
} as const

/** Flags → the same as an owner sends it. */
export function bodyOf(flags: Flags, type: string, choicesBefore: readonly object[] = []): Body {
  const rules = rulesOf(flags)
  const choices = choicesOf(flags, choicesBefore)
  return {
    ...defined('label', flags.label),
    ...defined('description', flags.description),
    ...(choices ? { choices } : {}),
    ...defined('initial', flags.initial),
    ...defined('start', flags.start),
    ...(flags.transitions === undefined ? {} : { transitions: transitionsOf(flags.transitions) }),
    ...(flags['no-transitions'] ? { transitions: null } : {}),
    ...(flags.required ? { required: true } : flags.optional ? { required: false } : {}),
    ...(flags.default === undefined ? {} : { default_value: defaultOf(flags.default, type) }),
    ...(flags['no-default'] ? { default_value: null } : {}),
    ...(flags.indexed ? { indexed: true } : flags['not-indexed'] ? { indexed: false } : {}),
    ...(Object.keys(rules).length > 0 ? { rules } : {}),
  }
}

const defined = (name: string, value: unknown): Body => (value === undefined ? {} : { [name]: value })

/** Everything is text here; the type of the field takes it as such. */
const defaultOf = (text: string, type: string): unknown => (type === 'choices' ? text.split(',') : text)

function rulesOf(flags: Flags): Body {
  const counts = ['min-length', 'max-length', 'min-choices', 'max-choices', 'scale'].flatMap((flag) => {
    const text = flags[flag]
    if (text === undefined) return []
    if (!/^\d{1,9}$/.test(text)) throw new CommandError(`--${flag} must be a number, but is "${text}".`, 2)
    return [[flag.replace('-', '_'), Number(text)]]
  })
  return { ...Object.fromEntries(counts), ...defined('minimum', flags.minimum), ...defined('maximum', flags.maximum) }
}

/** `lead,won:Won:green` → the choices, those of --closed closed */
function choicesOf(flags: Flags, before: readonly object[]): readonly Body[] | null {
  if (flags.choices === undefined && flags.closed === undefined) return null
  const closed = flags.closed?.split(',')
  const named = flags.choices?.split(',').map((choice) => {
    const [value, label, color] = choice.split(':')
    const known = before.find((one) => 'value' in one && one.value === value)
    return { ...known, value, ...defined('label', label), ...defined('color', color) }
  })
  const choices: readonly Body[] = named ?? (before as readonly Body[])
  const unknown = closed?.find((value) => !choices.some((one) => one.value === value))
  if (unknown) throw new CommandError(`--closed names "${unknown}", which is no choice.`, 2)
  return closed ? choices.map((one) => ({ ...one, closed: closed.includes(String(one.value)) })) : choices
}

/** `lead>won,lead>lost` → { lead: ['won', 'lost'] } */
function transitionsOf(text: string): Readonly<Record<string, string[]>> {
  const pairs = text.split(',').map((pair) => {
    const [from, to, ...more] = pair.split('>').map((part) => part.trim())
    if (!from || !to || more.length > 0)
      throw new CommandError(`--transitions must be like 'lead>won,lead>lost', but has "${pair}".`, 2)
    return { from, to }
  })
  const grouped = Map.groupBy(pairs, ({ from }) => from)
  return Object.fromEntries([...grouped].map(([from, found]) => [from, found.map(({ to }) => to)]))
}
