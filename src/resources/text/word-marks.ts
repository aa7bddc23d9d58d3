const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character)

/**
 * A text with two marks at each place between two of its characters, of which the first and the last place have one.
 * What RE2 can ask about the place between the marks tells more than it can ask about the place itself:
 * 1. At the start of a word, a line begins, and a word does: `(?m:^)\b`.
 * 2. At the end of a word, a word ends, and a line does: `\b(?m:$)`.
 * 3. Elsewhere, both marks are letters, or the only one is none: neither `\b` nor a line.
 * Each character has a mark on both sides, so that three signs stand for one.
 */
export function markWords(text: string): string {
  const characters = [...text]
  let marked = ''
  for (let at = 0; at <= characters.length; at += 1) {
    const [before, after] = [isWord(characters[at - 1]), isWord(characters[at])]
    const [isStart, isEnd] = [after && !before, before && !after]
    if (at > 0) marked += isStart ? '\n' : at < characters.length || isEnd ? 'a' : '-'
    if (at < characters.length) marked += (isEnd ? '\n' : at > 0 || isStart ? 'a' : '-') + characters[at]
  }
  return marked
}
