import { failure } from '../errors.ts'

/** Deeper than any sensible request, shallow enough for the stack. */
const depthMax = 32

/** Walks over the text of one parameter. Every failure says where it stands, what is there, and what could be. */
export class Scanner {
  private position = 0
  private depth = 0

  constructor(
    private readonly what: string,
    private readonly text: string,
    private readonly levelsMax = depthMax,
  ) {}

  get done(): boolean {
    return this.position === this.text.length
  }

  isAt(token: string): boolean {
    return this.text.startsWith(token, this.position)
  }

  skip(token: string): boolean {
    const found = this.isAt(token)
    if (found) this.position += token.length
    return found
  }

  expect(token: string, expected = `"${token}"`): void {
    if (!this.skip(token)) this.fail(expected)
  }

  /** What a sticky pattern matches from here on, or null. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.position
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined) return null
    this.position += found.length
    return found
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
    const items = [item()]
    while (this.skip(',')) items.push(item())
    return items
  }

  nested<Result>(parse: () => Result): Result {
    this.depth += 1
    if (this.depth > this.levelsMax) this.fail(`at most ${this.levelsMax} levels of nesting`)
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
    const name = this.take(/[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*/uy)?.trim()
    return name || this.fail(expected)
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
    return (
      this.take(/"(?:[^"\\]|\\[\s\S])*"/uy)
        ?.slice(1, -1)
        .replace(/\\([\s\S])/gu, '$1') ?? null
    )
  }
}
