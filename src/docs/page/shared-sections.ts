import { html, joined, type Piece } from './html.ts'
import { inline } from './markdown.ts'
import type { Content } from './openapi-types.ts'
import { entryList, linkedNames, type Section } from './parts.ts'
import { idOf, type Operation, type Parameter, parameterId, type Reference } from './read-document.ts'
import { limitWords, typeWords } from './schema-words.ts'

/** What is the same for all resources, said once. */
export function sharedSections(reference: Reference): Section[] {
  const operations = reference.groups.flatMap((group) => group.operations)
  return [
    { id: 'query-parameters', title: 'Query parameters', body: parameterList(operations, 'query') },
    { id: 'filters', title: 'Filters', body: filtersOf(reference) },
    { id: 'request-headers', title: 'Request headers', body: parameterList(operations, 'header') },
    { id: 'preferences', title: 'Preferences', body: preferencesOf(reference, operations) },
    {
      ...{ id: 'body-formats', title: 'Body formats' },
      body: formatList(
        'body',
        operations.map(({ body }) => body?.['x-content'] ?? {}),
      ),
    },
    {
      ...{ id: 'answer-formats', title: 'Answer formats' },
      body: formatList(
        'answer',
        operations.flatMap(({ answers }) => answers.map((answer) => answer['x-content'] ?? {})),
      ),
    },
    { id: 'answer-headers', title: 'Answer headers', body: headersOf(reference) },
  ]
}

/** Those that several resources share; a name once, also where its values depend on the method. */
function parameterList(operations: readonly Operation[], place: Parameter['in']): Piece {
  const shared = operations
    .flatMap(({ parameters }) => parameters)
    .filter((one) => one.anchor === parameterId(place, one.name))
  const byName = [...Map.groupBy(shared, ({ name }) => name).values()].flatMap(([first]) => first ?? [])
  return entryList(
    byName.map((parameter) => ({
      ...{ id: parameter.anchor ?? '', kind: place === 'query' ? 'Query parameter' : 'Request header' },
      title: parameter.name,
      facts: [typeWords(parameter.schema), ...limitWords(parameter.schema), methodsWith(operations, parameter.name)],
      body: parameter.schema['x-preferences']
        ? html`<p>Wishes, separated by commas. See <a href="#preferences">Preferences</a>.</p>`
        : html`<p>${inline(parameter.description)}</p>${exampleOf(parameter)}`,
    })),
  )
}

const exampleOf = ({ name, example, in: place }: Pick<Parameter, 'name' | 'example' | 'in'>): Piece =>
  example !== undefined &&
  html`<p class="example">For example <code>${name}${place === 'query' ? '=' : ': '}${String(example)}</code></p>`

/** `GET, HEAD`; the methods whose operations take a parameter. */
function methodsWith(operations: readonly Operation[], name: string): string {
  const taking = operations.filter(({ parameters }) => parameters.some((one) => one.name === name))
  return [...new Set(taking.map(({ method }) => method))].join(', ')
}

function filtersOf({ components }: Reference): Piece {
  const { description, operators } = components['x-filters']
  return html`<p>${inline(description)}</p>
${entryList(
  Object.entries(operators).map(([name, { meaning, quantified }]) => ({
    ...{ id: idOf(`operator-${name}`), kind: 'Operator', title: name, body: html`<p>${inline(meaning)}</p>` },
    facts: quantified
      ? [html`also <code>${name}(any)</code> and <code>${name}(all)</code> with <code>{a,b}</code>`]
      : [],
  })),
)}`
}

function preferencesOf({ components }: Reference, operations: readonly Operation[]): Piece {
  const taking = (wish: string): string => {
    const found = operations.filter(({ parameters }) =>
      parameters.some(({ schema }) => schema['x-preferences']?.includes(wish)),
    )
    return [...new Set(found.map(({ method }) => method))].join(', ')
  }
  return html`<p>Wishes in the header <code>Prefer</code>, separated by commas: <code>Prefer: count=exact, return=representation</code>.
<a href="#answer-header-preference-applied">Preference-Applied</a> of the answer names those that counted.</p>
${entryList(
  Object.entries(components['x-preferences']).map(([wish, meaning]) => ({
    ...{ id: idOf(`preference-${wish}`), kind: 'Preference', title: wish, facts: [taking(wish)] },
    body: html`<p>${inline(meaning)}</p>`,
  })),
)}`
}

/** Every media type of these contents, once. */
const formatList = (side: string, contents: readonly Content[]): Piece =>
  entryList(
    Object.entries(Object.assign({}, ...contents) as Content).map(([type, { schema }]) => ({
      ...{ id: idOf(`${side}-format-${type}`), kind: 'Media type', title: type },
      body: html`<p>${schema.description ?? rowWords(type, side)}</p>`,
    })),
  )

/** What a form in JSON holds, as it is the same for the rows of every resource. */
function rowWords(type: string, side: string): string {
  if (side === 'body') return type === 'application/json' ? 'One row, or an array of rows.' : 'One row.'
  const rows = type.includes('.object+') ? 'Exactly one row, as an object' : 'The rows, as an array'
  return type.includes('nulls=stripped') ? `${rows}, without members that are null.` : `${rows}.`
}

function headersOf({ components, commonHeaders }: Reference): Piece {
  const common = commonHeaders.map((name) => ({ name, anchor: idOf(`answer-header-${name}`) }))
  return html`<p>On every answer to a request with a valid key:</p>${linkedNames(common)}
${entryList(
  Object.entries(components.headers).map(([name, { description, schema, example }]) => ({
    ...{ id: idOf(`answer-header-${name}`), kind: 'Answer header', title: name },
    body: html`<p>${inline(description)}</p>
${
  schema.enum &&
  html`<p class="example">${joined(
    schema.enum.map((value) => html`<code>${String(value)}</code>`),
    ' ',
  )}</p>`
}
${exampleOf({ name, in: 'header', ...(example === undefined ? {} : { example }) })}`,
  })),
)}`
}
