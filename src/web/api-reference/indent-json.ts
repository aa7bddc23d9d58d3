/** JSON with a line for each member. Its values stay as they were sent: `10.50` is no `10.5`. */
export function indentJson(text: string): string {
  let depth = 0
  const newLine = (change: number) => {
    depth += change
    return `\n${'  '.repeat(depth)}`
  }
  return text.replace(token, (_, found: string) => {
    if (found === '{' || found === '[') return found + newLine(1)
    if (found === '}' || found === ']') return newLine(-1) + found
    if (found === ',') return found + newLine(0)
    return found === ':' ? ': ' : found.replace(/^([[{])\s+/, '$1')
  })
}

/** A text, something empty, a sign, or any other value; blanks around it are left out. */
const token = /\s*("(?:[^"\\]|\\.)*"|\[\s*\]|\{\s*\}|[[\]{},:]|[^\s"[\]{},:]+)\s*/g
