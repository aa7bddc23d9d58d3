/** Control characters, line separators, and what turns the direction of the text that follows. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Whether a text holds what could move a cursor, break a line, or show other text than there is. */
export const hasControls = (text: string): boolean => text.search(controls) >= 0

/** A stored text for a terminal or a mail, with such characters spelled out: `\u001b`. */
export const printable = (text: string): string =>
  text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of ours that has several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
