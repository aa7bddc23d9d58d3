import type { Payload } from './payload.ts'

type Row = Payload['rows'][number]

/** Looks at the names of rows, one row after another. */
export class RowNames {
  /** Whether some row has other names than the first one. */
  areUnlike = false
  /** The names of those rows whose names are others, or in another order, than those of the row before. */
  unlike = 0
  private first: readonly string[] | null = null
  private last: readonly string[] = []

  see(row: Row): void {
    const names = Object.keys(row)
    if (this.first === null) this.first = names
    else if (isSame(names, this.last)) return
    else {
      this.unlike += names.length
      this.areUnlike ||= names.length !== this.first.length || !this.first.every((name) => Object.hasOwn(row, name))
    }
    this.last = names
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name, at) => name === others[at])
