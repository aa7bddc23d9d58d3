import { type Html, html, joined, type Piece } from './html.ts'
import { inline } from './markdown.ts'
import { codeBlock, entryList, jsonBlock, linkedNames, methodBadge } from './parts.ts'
import {
  type Answer,
  type Group,
  idOf,
  type Operation,
  type Parameter,
  type Reference,
  schemeId,
} from './read-document.ts'
import { samplesOf } from './samples.ts'
import { limitWords, typeWords } from './schema-words.ts'

/** One operation: what it does, what it takes and answers, and how to call it. */
export function operationPart(operation: Operation, group: Group, reference: Reference): Html {
  const { id, method, path, summary, description, needsKey } = operation
  const fullPath = new URL(reference.serverUrl, 'http://here').pathname.replace(/\/$/, '') + path
  return html`
<section class="operation" id="${id}" data-section data-kind="Operation" data-title="${summary}" data-words="${method} ${fullPath}">
<h3><a class="self-link" href="#${id}">${summary}</a></h3>
<p class="endpoint">${methodBadge(method)} <code>${fullPath}</code>${!needsKey && html` <span class="fact">no key needed</span>`}</p>
<div class="columns">
<div class="words">
<p>${inline(description)}</p>
${parametersOf(operation)}
${bodyOf(operation)}
${answersOf(operation, reference)}
</div>
<div class="samples">
${needsKey && html`<button class="try-button needs-script" type="button" aria-expanded="false" data-trial="${trialOf(operation)}">Try it<span class="visually-hidden"> ${summary}</span></button>`}
${samplesOf(operation, group, reference.serverUrl).map(({ language, text }) => codeBlock(language, text, summary))}
${operation.answers.slice(0, 1).map((answer) => exampleOf(answer, summary))}
</div>
</div>
</section>`
}

/** What the page's script makes a form of: names and examples. Keys and secrets are no part of it. */
function trialOf({ method, path, summary, parameters, body }: Operation): string {
  const field = ({ name, in: place, example = '' }: Parameter) => {
    const isUsual = name === 'limit' || (place === 'header' && name === 'Prefer' && body !== null)
    return { name, example: String(example), value: isUsual ? String(example) : '' }
  }
  const example = Object.values(body?.content ?? {})[0]?.example
  return JSON.stringify({
    ...{ method, path, summary },
    query: parameters.filter((one) => one.in === 'query').map(field),
    headers: parameters.filter((one) => one.in === 'header' && !isScheme(one)).map(field),
    body: example === undefined ? null : JSON.stringify(example, null, 2),
  })
}

const isScheme = ({ anchor }: Parameter): boolean => anchor?.startsWith(schemeId('')) ?? false

function parametersOf({ parameters, id }: Operation): Piece {
  const kinds: readonly (readonly [string, (parameter: Parameter) => boolean])[] = [
    ['Filters', (one) => isFilter(one)],
    ['Query parameters', (one) => one.in === 'query' && !isFilter(one)],
    ['Request headers', (one) => one.in === 'header'],
  ]
  return kinds.map(([title, belongs]) => {
    const all = parameters.filter(belongs)
    const linked = all.flatMap(({ name, anchor }) => (anchor === null ? [] : [{ name, anchor }]))
    if (all.length === 0) return null
    return html`<h4>${title}</h4>
${entryList(all.filter(({ anchor }) => anchor === null).map((one) => ownEntry(one, id)))}
${linked.length > 0 && linkedNames(linked)}`
  })
}

const isFilter = ({ schema }: Parameter): boolean => schema['x-operators'] !== undefined

const ownEntry = ({ name, required, schema, description }: Parameter, operation: string) => ({
  ...{ id: idOf(`${operation}-${name}`), kind: 'Parameter', title: name, body: inline(description) },
  facts: [typeWords(schema), required && html`<strong>required</strong>`, ...limitWords(schema)],
})

function bodyOf({ body, summary }: Operation): Piece {
  if (!body) return null
  const [type, usual] = Object.entries(body.content ?? {})[0] ?? []
  return html`<h4>Request body</h4>
<p><code>${type ?? ''}</code>${otherForms('body', body['x-content'] ?? {}, type)}</p>
${linkedNames(body.members)}
${usual?.example !== undefined && jsonBlock('Body', usual.example, summary)}`
}

function answersOf({ answers, failedStatuses }: Operation, { commonHeaders }: Reference): Piece {
  return html`<h4>Answers</h4>
<dl class="answers">${answers.map(
    (answer) => html`<div><dt>${answer.status}</dt><dd><p>${inline(answer.description)}${formsOf(answer)}</p>
${headersOf(answer, commonHeaders)}</dd></div>`,
  )}
<div><dt>Errors</dt><dd>${joined(
    failedStatuses.map(
      (status) =>
        html`<a href="#${status === 'default' ? 'errors' : `errors-${status}`}">${status === 'default' ? 'all errors' : status}</a>`,
    ),
    ', ',
  )}</dd></div></dl>`
}

function formsOf(answer: Answer): Piece {
  const [type, usual] = Object.entries(answer.content ?? {})[0] ?? []
  if (!usual) return null
  return html` <code>${type ?? ''}</code>: ${typeWords(usual.schema)}${otherForms('answer', answer['x-content'] ?? {}, type)}`
}

/** The media types beside the usual one, which are explained once. */
function otherForms(side: 'body' | 'answer', content: object, usual: string | undefined): Piece {
  const others = Object.keys(content).filter((type) => type !== usual)
  return others.length > 0 && html`, or <a href="#${side}-formats">${others.length} other formats</a>`
}

function headersOf({ headers = {} }: Answer, common: readonly string[]): Piece {
  const own = Object.keys(headers).filter((name) => !common.includes(name))
  return own.length > 0 && linkedNames(own.map((name) => ({ name, anchor: idOf(`answer-header-${name}`) })))
}

function exampleOf({ status, content = {} }: Answer, summary: string): Piece {
  const example = Object.values(content)[0]?.example
  if (example === undefined) return null
  return jsonBlock(`Answer ${status}`, example, summary)
}
