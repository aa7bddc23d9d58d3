import { choiceLengthMax } from '../types/choice.ts'
import { shown } from '../types/column-type.ts'
import { choicesMax, colors, type FieldChoice, type FieldType, type Transitions } from './field.ts'
import { type Body, invalid, parseFlag, parseObject, parseText, refuseOthers } from './parse-values.ts'

type Choices = readonly FieldChoice[] | null

const valueLength = { minLength: 1, maxLength: choiceLengthMax }

/** `["lead", {"value": "won", "color": "green"}]` → the same with all parts of each */
export function parseChoices(value: unknown, type: FieldType): Choices {
  const isChoice = type === 'choice' || type === 'choices'
  if (!isChoice && (value === undefined || value === null)) return null
  if (!isChoice) throw invalid(`A field of the type ${type} has no choices`, 'Leave "choices" out.')
  if (!Array.isArray(value) || value.length === 0 || value.length > choicesMax)
    throw invalid('A choice needs values to choose from', `Send 1 to ${choicesMax} "choices".`)
  const choices = value.map(parseChoice)
  const repeated = choices.find((one, at) => choices.findIndex((other) => other.value === one.value) !== at)
  if (repeated) throw invalid(`The choice "${repeated.value}" is there twice`, 'Send each value once.')
  return choices
}

function parseChoice(given: unknown): FieldChoice {
  const body: Body = typeof given === 'string' ? { value: given } : parseObject('choices', given)
  refuseOthers(body, ['value', 'label', 'color', 'closed'])
  const value = parseText('value', body.value, valueLength)
  const color = colors.find((one) => one === (body.color ?? 'gray'))
  if (!color) throw invalid(`There is no color ${shown(body.color)}`, `Use one of ${colors.join(', ')}.`)
  const label = parseText('label', body.label ?? value, { minLength: 1, maxLength: 100 })
  return { value, label, color, closed: parseFlag('closed', body.closed) }
}

export function parseInitial(value: unknown, choices: Choices, type: FieldType): string | null {
  if (value === undefined || value === null) return null
  if (type !== 'choice') throw onlyChoice('initial value')
  const choice = choices?.find((one) => one.value === value)
  if (!choice || choice.closed)
    throw invalid(`The initial value ${shown(value)} is no open choice`, `Use one of ${valuesOf(choices)}.`)
  return choice.value
}

export function parseStart(value: unknown): 'initial' | 'any' {
  if (value === undefined || value === 'initial') return 'initial'
  if (value !== 'any') throw invalid('"start" must be initial or any', 'Send "initial" or "any".')
  return value
}

/** `{"lead": ["won", "lost"]}`. A choice that is not named leads nowhere. */
export function parseTransitions(value: unknown, choices: Choices, type: FieldType): Transitions | null {
  if (value === undefined || value === null) return null
  if (type !== 'choice') throw onlyChoice('transitions')
  const known = (name: unknown): name is string => choices?.some((one) => one.value === name) ?? false
  return Object.fromEntries(
    Object.entries(parseObject('transitions', value)).map(([from, next]) => {
      const unknown = [from, ...(Array.isArray(next) ? next : [next])].find((one) => !known(one))
      if (!Array.isArray(next) || unknown !== undefined)
        throw invalid(`A transition names ${shown(unknown ?? null)}, which is no choice`, `Use ${valuesOf(choices)}.`)
      return [from, [...new Set(next.filter(known))]]
    }),
  )
}

const onlyChoice = (what: string): Error =>
  invalid(`Only a field of the type choice has ${what === 'transitions' ? '' : 'an '}${what}`, `Leave it out.`)

const valuesOf = (choices: Choices): string => choices?.map(({ value }) => value).join(', ') ?? ''
