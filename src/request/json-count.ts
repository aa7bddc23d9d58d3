import { failure } from '../errors/index.ts'
import { closeBrace, closeBracket, comma, openBrace, openBracket } from './json-signs.ts'
import { bodyRowsMax, rowFieldsMax } from './row-limits.ts'

/** No column takes a value of more levels, and the parser takes long for very many. */
const depthMax = 32
/** As many as fields in as many rows as may be: more than the choices of any rows that fit into a body. */
const nestedMax = bodyRowsMax * rowFieldsMax

/** Counts what a text of rows becomes, sign by sign, and refuses what no row needs before it is made. */
export class JsonCount {
  depth = 0
  /** The values in lists and objects in the rows, where an empty one counts as one. */
  nested = 0
  private fields = 1

  /** A row is on the first level, or, of a list, on the second. */
  constructor(private readonly rowDepth: 1 | 2) {}

  /** Takes the next character that is in no string. */
  see(sign: number): void {
    if (sign === openBrace || sign === openBracket) this.open()
    else if (sign === closeBrace || sign === closeBracket) this.depth -= 1
    else if (sign === comma) this.separate()
  }

  private open(): void {
    if (this.depth >= depthMax) throw failure.tooMuch('levels of lists and objects', depthMax, asTextHint)
    this.depth += 1
    if (this.depth > this.rowDepth) this.nest()
    else this.fields = 1
  }

  private separate(): void {
    if (this.depth > this.rowDepth) this.nest()
    else if (this.depth === this.rowDepth) {
      this.fields += 1
      if (this.fields > rowFieldsMax)
        throw failure.tooMuch('fields in one row', rowFieldsMax, 'Send those that the resource has.')
    }
  }

  private nest(): void {
    this.nested += 1
    if (this.nested > nestedMax)
      throw failure.tooMuch('values in lists and objects', nestedMax, `${asTextHint} Or send the rows in parts.`)
  }
}

const asTextHint = 'Send what the columns hold. JSON that is kept as text can be sent as a string.'
