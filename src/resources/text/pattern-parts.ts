/** The options that `parsePattern` leaves before a regular expression, as in `(?iw)^a`. */
export interface KeptOptions {
  /** null: as the operator says. */
  readonly ignoreCase: boolean | null
  /** `^` and `$` are the ends of every line. */
  readonly byLine: boolean
}

export interface Pattern extends KeptOptions {
  readonly body: string
}

/** `(?iw)^a` → its options, and `^a` */
export function splitPattern(pattern: string): Pattern {
  const [start = '', letters = ''] = /^\(\?([ciw]+)\)/.exec(pattern) ?? []
  return {
    ignoreCase: letters.includes('i') || (letters.includes('c') ? false : null),
    byLine: letters.includes('w'),
    body: pattern.slice(start.length),
  }
}

export function joinPattern({ ignoreCase, byLine, body }: Pattern): string {
  const letters = (ignoreCase === null ? '' : ignoreCase ? 'i' : 'c') + (byLine ? 'w' : '')
  return letters === '' ? body : `(?${letters})${body}`
}

/** Everything that a body consists of: groups, alternatives, repetitions, and atoms, some of which are sets in brackets. */
export const partsIn =
  /(?<open>\((?:\?:)?)|(?<close>\))|(?<bar>\|)|(?<repeat>[*+?]|\{(?<least>\d+)(?<more>,(?<most>\d*))?\})|(?<atom>\\[\s\S]|(?<bracket>\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|[\s\S])/gu

/** What is true of a place between two characters: `\m` and `\M` are the start and the end of a word, `\y` one of them, `\Y` none. */
const anchors = ['^', '$', '\\A', '\\Z', '\\m', '\\M', '\\y', '\\Y'] as const
export type Anchor = (typeof anchors)[number]

export const isAnchor = (atom: string): atom is Anchor => anchors.some((anchor) => anchor === atom)

/** A pattern with all its atoms in another spelling. */
export const respell = (body: string, spell: (atom: string) => string): string =>
  body.replace(partsIn, (part, ...rest) => {
    const { atom }: { readonly atom?: string } = rest.at(-1)
    return atom === undefined ? part : spell(atom)
  })
