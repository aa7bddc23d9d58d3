import { STATUS_CODES } from 'node:http'
import { all } from '../../methods.ts'
import { html, type Piece } from './html.ts'
import type { Failure } from './openapi-types.ts'
import { jsonBlock, type Section } from './parts.ts'
import type { Reference } from './read-document.ts'

/** Every failure by its status and its code, with its hint. */
export function errorsSection({ components }: Reference): Section {
  const failures = Object.values(components.examples)
  const byStatus = [...Map.groupBy(failures, (failure) => failure['x-status'])].toSorted(
    ([one], [other]) => one - other,
  )
  return {
    id: 'errors',
    title: 'Errors',
    body: html`<p>Programs look at <code>code</code>; the other members are for people.
After any error of a write, nothing was written.</p>
${failures.slice(0, 1).map(({ value }) => jsonBlock('Body', value, 'an error'))}
${byStatus.map(([status, some]) => statusPart(status, some))}`,
    parts: byStatus.map(([status]) => ({ id: `errors-${status}`, title: statusTitle(status), method: '' })),
  }
}

/** `404 Not Found` */
const statusTitle = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`.trim()

const statusPart = (status: number, failures: readonly Failure[]): Piece => html`
<section id="errors-${status}" data-section data-kind="Errors" data-title="${statusTitle(status)}" data-words="">
<h3><a class="self-link" href="#errors-${status}">${statusTitle(status)}</a></h3>
<dl class="entries">${[...Map.groupBy(failures, ({ value }) => value.code)].map(([code, same]) => codeEntry(code, same))}</dl>
</section>`

/** Which requests can meet it: those to a path that is not served have any method. */
const methodWords = (some: readonly string[]): string =>
  some.length === 0 || some.length === all.length ? 'any method' : some.join(', ')

const codeEntry = (code: string, failures: readonly Failure[]): Piece => html`
<div class="entry" id="error-${code}" data-kind="Error" data-title="${code}">
<dt><a class="self-link" href="#error-${code}"><code>${code}</code></a></dt>
${failures.map(
  ({ value, 'x-methods': methods }) => html`<dd><p>${value.message}
<span class="fact">${methodWords(methods)}</span></p>
${value.details !== null && html`<p class="details">${value.details}</p>`}
${value.hint !== null && html`<p class="hint">${value.hint}</p>`}</dd>`,
)}
</div>`
