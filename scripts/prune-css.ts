/** Groups of rules, which are kept as far as their rules are. */
const group = /^@(?:media|supports|layer|container)\b/

/**
 * Leaves out the rules for components that no script uses. A class of Mantine is `m_` and a hash, and a script that uses a
 * component contains its classes.
 */
export function pruneCss(css: string, scripts: string): string {
  const kept: string[] = []
  for (let at = 0; at < css.length; ) {
    const { prelude, body, end } = nextRule(css, at)
    at = end
    if (body === null) kept.push(prelude)
    else if (group.test(prelude)) {
      const inner = pruneCss(body, scripts)
      if (inner !== '') kept.push(`${prelude}{${inner}}`)
    } else if (isUsed(prelude, scripts)) kept.push(`${prelude}{${body}}`)
  }
  return kept.join('')
}

/** Bun writes a rule with `:is` three times: these are for browsers of before 2021. */
const outdated = /:-(?:webkit|moz)-any\(/

/** Whether a browser of today needs the rule, and one of its selectors has only classes that are used. */
function isUsed(selectors: string, scripts: string): boolean {
  if (outdated.test(selectors)) return false
  return splitSelectors(selectors).some((selector) =>
    (selector.match(/\bm_[0-9a-f]{4,8}\b/g) ?? []).every((name) => scripts.includes(name)),
  )
}

/** `a,b:is(c,d)` → `a` and `b:is(c,d)` */
function splitSelectors(list: string): readonly string[] {
  const selectors = ['']
  let depth = 0
  for (const letter of list) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) selectors.push('')
    else selectors.push(`${selectors.pop()}${letter}`)
  }
  return selectors
}

interface Rule {
  /** What is before the brace: selectors, or an at-rule. */
  readonly prelude: string
  /** Null for a statement such as `@charset "utf-8";` */
  readonly body: string | null
  readonly end: number
}

/** `a{b{c}}d{…` → `a`, `b{c}` and where `d` begins. Braces in quotes are text. */
function nextRule(css: string, start: number): Rule {
  let depth = 0
  let open = -1
  let quote = ''
  for (let at = start; at < css.length; at += 1) {
    const letter = css[at] ?? ''
    if (letter === '\\') at += 1
    else if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (letter === ';' && open < 0) return { prelude: css.slice(start, at + 1), body: null, end: at + 1 }
    else if (letter === '{') {
      if (depth === 0) open = at
      depth += 1
    } else if (letter === '}') {
      depth -= 1
      if (depth === 0) return { prelude: css.slice(start, open).trim(), body: css.slice(open + 1, at), end: at + 1 }
    }
  }
  return { prelude: css.slice(start).trim(), body: null, end: css.length }
}
