/** Markup in which every text is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** What can stand in a template: null, undefined and false are nothing, a list is its parts one after the other. */
export type Piece = Html | string | number | null | undefined | false | readonly Piece[]

/** html`<b>${'a < b'}</b>` → `<b>a &lt; b</b>` */
export const html = (strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(strings.reduce((text, string, at) => `${text}${textOf(pieces[at - 1])}${string}`))

function textOf(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'string' || typeof piece === 'number') return escaped(String(piece))
  return piece.map(textOf).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)

/** The pieces with something between them. */
export const joined = (pieces: readonly Piece[], between: Piece): Piece =>
  pieces.map((piece, at) => (at === 0 ? piece : [between, piece]))
