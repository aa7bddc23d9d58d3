/** Control characters, line separators, and characters that change the direction of text. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Whether a text contains a character that could move the cursor, break a line, or disguise the text. */
export const hasControls = (text: string): boolean => text.search(controls) >= 0

/** A stored text for a terminal or a mail, with such characters escaped: `\u001b`. */
export const printable = (text: string): string =>
  text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for our own text, which may have several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
