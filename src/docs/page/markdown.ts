import { type Html, html, type Piece } from './html.ts'

/** A heading and what is below it. */
export interface Chapter {
  readonly title: string
  readonly body: Html
}

/** The part of Markdown that our own document uses: `## headings`, paragraphs, and what `inline` knows. */
export function chaptersOf(text: string, firstTitle: string): Chapter[] {
  const [first = '', ...others] = text.split(/^## /m)
  const rest = others.map((part) => {
    const end = part.indexOf('\n')
    return { title: part.slice(0, end).trim(), body: paragraphs(part.slice(end)) }
  })
  return [{ title: firstTitle, body: paragraphs(first) }, ...rest]
}

const paragraphs = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((part) => html`<p>${inline(part)}</p>`)}`

/** `code` and **strong** words. */
export const inline = (text: string): Piece =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (/^`.+`$/s.test(part)) return html`<code>${part.slice(1, -1)}</code>`
    return /^\*\*.+\*\*$/s.test(part) ? html`<strong>${part.slice(2, -2)}</strong>` : part
  })
