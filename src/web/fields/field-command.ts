import type { Field, FieldRules } from '../api-types.ts'

/** The command that creates the same field: `project-api field create --company Acme …` */
export function commandOf(field: Field, company: string): string {
  const { resource, name, type, label, description, required, indexed, initial, start } = field
  const words = [
    `--company ${quoted(company)} --resource ${resource} --name ${name} --type ${type}`,
    `--label ${quoted(label)}`,
    ...(description === '' ? [] : [`--description ${quoted(description)}`]),
    ...choiceWords(field),
    ...(initial === null ? [] : [`--initial ${quoted(initial)}`]),
    ...(start === 'any' ? ['--start any'] : []),
    ...transitionWords(field),
    ...defaultWords(field),
    ...Object.entries(field.rules).map(
      ([rule, limit]) => `--${flagOf(rule as keyof FieldRules)} ${quoted(String(limit))}`,
    ),
    ...(required ? ['--required'] : []),
    ...(indexed ? ['--indexed'] : []),
  ]
  return ['project-api field create', ...words].join(' \\\n  ')
}

/** In a shell: `it's` → `'it'\''s'`, and what is safe stays as it is. */
const quoted = (text: string): string => (/^[\w.:,@/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const flagOf = (rule: keyof FieldRules): string => rule.replace('_', '-')

function choiceWords({ choices }: Field): readonly string[] {
  if (!choices) return []
  const closed = choices.filter((choice) => choice.closed).map(({ value }) => value)
  const listed = choices.map(({ value, label, color }) => `${value}:${label}:${color}`).join(',')
  return [`--choices ${quoted(listed)}`, ...(closed.length === 0 ? [] : [`--closed ${quoted(closed.join(','))}`])]
}

function transitionWords({ transitions }: Field): readonly string[] {
  const pairs = Object.entries(transitions ?? {}).flatMap(([from, next]) => next.map((to) => `${from}>${to}`))
  return pairs.length === 0 ? [] : [`--transitions ${quoted(pairs.join(','))}`]
}

function defaultWords({ default_value: value }: Field): readonly string[] {
  if (value === null) return []
  return [`--default ${quoted(Array.isArray(value) ? value.join(',') : String(value))}`]
}
