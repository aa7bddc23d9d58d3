import { type Html, html, type Piece } from './html.ts'

/** What the page's search finds: its kind and its title, with the element that it leads to. */
interface Findable {
  readonly id: string
  readonly kind: string
  readonly title: string
}

interface Entry extends Findable {
  /** Short facts beside the name: the type, what it must keep to. */
  readonly facts?: readonly Piece[]
  readonly body: Piece
}

/** A list of names, each with its explanation. */
export const entryList = (entries: readonly Entry[]): Piece =>
  entries.length > 0 && html`<dl class="entries">${entries.map(entryOf)}</dl>`

const entryOf = ({ id, kind, title, facts = [], body }: Entry): Html => html`
<div class="entry" id="${id}" data-kind="${kind}" data-title="${title}">
<dt><a class="self-link" href="#${id}"><code>${title}</code></a>${facts.filter(Boolean).map((fact) => html` <span class="fact">${fact}</span>`)}</dt>
<dd>${body}</dd>
</div>`

/** A part of the page with a heading of its own, which the navigation leads to. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly body: Piece
  /** What is within it and has a place in the navigation, too. */
  readonly parts?: readonly { readonly id: string; readonly title: string; readonly method: string }[]
}

export const sectionOf = ({ id, title, body }: Section): Html => html`
<section class="section" id="${id}" data-section data-kind="Section" data-title="${title}" data-words="">
<h2><a class="self-link" href="#${id}">${title}</a></h2>
${body}
</section>`

interface Name {
  readonly name: string
  readonly anchor: string
  readonly isNeeded?: boolean
}

/** Names that lead to their explanation. */
export const linkedNames = (names: readonly Name[]): Piece =>
  html`<ul class="names">${names.map(({ name, anchor, isNeeded }) => html`<li><a class="name-link" href="#${anchor}"><code>${name}</code></a>${isNeeded && html` <span class="fact"><strong>required</strong></span>`}</li>`)}</ul>`

export const methodBadge = (method: string): Html => html`<span class="method" data-method="${method}">${method}</span>`

/** A text to copy. `about` tells those who hear the page what it belongs to. */
export const codeBlock = (caption: string, text: string, about: string): Html => html`
<figure class="code">
<figcaption>${caption}<span class="visually-hidden">: ${about}</span>
<button class="copy needs-script" type="button">Copy<span class="visually-hidden"> ${caption}: ${about}</span></button></figcaption>
<pre tabindex="0" role="group" aria-label="${caption}: ${about}">${text}</pre>
</figure>`

export const jsonBlock = (caption: string, value: unknown, about: string): Html =>
  codeBlock(caption, JSON.stringify(value, null, 2), about)
