import { failure } from '../errors/index.ts'

/** How much one parameter may hold. */
interface Limits {
  readonly levels: number
  readonly items: number
  /** What an item is called where there are too many. */
  readonly name: string
}

/** Levels: deeper than any sensible request, shallow enough for the stack. */
export const usualLimits: Limits = { levels: 32, items: 10_000, name: 'values' }

/** Walks over the text of one parameter. Every failure says where it stands, what is there, and what could be. */
export class Scanner {
  private position = 0
  private depth = 0
  private items = 0

  constructor(
    private readonly what: string,
    private readonly text: string,
    private readonly limits = usualLimits,
  ) {}

  get done(): boolean {
    return this.position === this.text.length
  }

  isAt(token: string): boolean {
    return this.text.startsWith(token, this.position)
  }

  /** Goes on behind a token, if it is the next one. */
  accept(token: string): boolean {
    const found = this.isAt(token)
    if (found) this.position += token.length
    return found
  }

  expect(token: string, expected = `"${token}"`): void {
    if (!this.accept(token)) this.fail(expected)
  }

  /** What a sticky pattern matches from here on, or null. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) return null
    this.position += found.length
    return found
  }

  /** Allowed around brackets, commas and items. */
  skipBlanks(): void {
    this.take(blanks)
  }

  back(length: number): void {
    this.position -= length
  }

  rest(): string {
    const rest = this.text.slice(this.position)
    this.position = this.text.length
    return rest
  }

  /** `a,b,c` */
  list<Item>(item: () => Item): Item[] {
    const items: Item[] = []
    do {
      this.count(1)
      items.push(item())
    } while (this.accept(','))
    return items
  }

  /** Plain values up to `end`, or null where one of them has a quote: `a,b)` → ['a', 'b'] */
  plainList(end: string): string[] | null {
    const stop = this.text.indexOf(end, this.position)
    if (stop < 0) return null
    const text = this.text.slice(this.position, stop)
    if (text.includes('"')) return null
    const items = text.split(',', this.limits.items + 1)
    this.count(items.length)
    this.position = stop
    return items
  }

  private count(items: number): void {
    this.items += items
    if (this.items > this.limits.items) throw failure.tooMuch(this.limits.name, this.limits.items, 'Send fewer.')
  }

  nested<Result>(parse: () => Result): Result {
    this.depth += 1
    if (this.depth > this.limits.levels) this.fail(`at most ${this.limits.levels} levels of nesting`)
    const result = parse()
    this.depth -= 1
    return result
  }

  end(): void {
    if (!this.done) this.fail('"," or end of input')
  }

  fail(expected: string, hint?: string): never {
    const [found] = this.text.slice(this.position, this.position + 2)
    const unexpected = found === undefined ? 'end of input' : `"${found}"`
    const details = `unexpected ${unexpected} expecting ${expected}`
    throw failure.unparsable(this.what, this.text, this.position + 1, details, hint)
  }

  /** `project_name`, `"any thing, at all"`, `created-at` */
  name(expected = 'field name (* or [a..z0..9_$])'): string {
    const quoted = this.quoted()
    if (quoted !== null) return quoted || this.fail(expected)
    const start = this.position
    while (this.isInName(this.position) || this.isHyphenInName(start)) {
      this.position += (this.text.codePointAt(this.position) ?? 0) > 0xffff ? 2 : 1
      if (this.position - start > nameMax) this.fail(`a name of at most ${nameMax} characters`)
    }
    return this.text.slice(start, this.position).trim() || this.fail(expected)
  }

  private isInName(at: number): boolean {
    const letter = this.text.codePointAt(at)
    if (letter === undefined) return false
    return letter < 128 ? plainNameLetters.has(letter) : /[\p{L}\p{N}]/u.test(String.fromCodePoint(letter))
  }

  private isHyphenInName(start: number): boolean {
    return this.position > start && this.isAt('-') && this.isInName(this.position + 1)
  }

  /** As `quoted`, but only where the closing quote is followed by `next`; otherwise the quotes are plain characters. */
  takeQuotedBefore(next: RegExp): string | null {
    const start = this.position
    const text = this.quoted()
    next.lastIndex = this.position
    if (text !== null && next.test(this.text)) return text
    this.position = start
    return null
  }

  /** `"a\"b"` → a"b */
  quoted(): string | null {
    if (!this.isAt('"')) return null
    const start = this.position + 1
    const end = this.endOfQuoted(start)
    if (end === null) return null
    this.position = end + 1
    const text = this.text.slice(start, end)
    return text.includes('\\') ? text.replace(/\\([\s\S])/gu, '$1') : text
  }

  private endOfQuoted(start: number): number | null {
    for (let at = start; at < this.text.length; at += 1) {
      const letter = this.text.charCodeAt(at)
      if (letter === quote) return at
      if (letter === backslash) at += 1
    }
    return null
  }
}

const blanks = /[ \t]+/y
const nameMax = 1000
const [quote, backslash] = [34, 92]
const plainNameLetters = new Set(
  Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ $', (letter) => letter.charCodeAt(0)),
)
