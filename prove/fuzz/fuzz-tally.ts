import type { Sent } from './fuzz-request.ts'
import type { Outcome } from './fuzz-wire.ts'

/** Words that only an engine, the runtime or a stack uses. No request here contains one. */
const insides =
  /\n\s+at \S|\.tsx?:\d|node_modules|SQLITE_|SQLiteError|PostgresError|ERR_POSTGRES|near ": |at or near|constraint failed|no such (?:column|table)|\/tmp\/|\bbun:|TypeError|RangeError|ReferenceError|SyntaxError/

/** All that was seen, and what should not have been. */
export class Tally {
  readonly statuses = new Map<number, number>()
  readonly faults: string[] = []
  closed = 0
  silent = 0

  take(sent: Sent, outcome: Outcome): void {
    if (outcome.kind !== 'answer') {
      this[outcome.kind] += 1
      if (sent.isSound) this.fault(outcome.kind === 'closed' ? 'closed without an answer' : 'no answer in time', sent)
      return
    }
    this.statuses.set(outcome.status, (this.statuses.get(outcome.status) ?? 0) + 1)
    if (outcome.status === 500) this.fault('500', sent)
    const found = insides.exec(outcome.text)
    if (found && !sent.bytes.includes(found[0])) this.fault(`tells of its insides: ${found[0]}`, sent)
  }

  fault(what: string, { bytes }: Sent): void {
    const shown = JSON.stringify(bytes.length > 3000 ? `${bytes.slice(0, 3000)}… (${bytes.length} bytes)` : bytes)
    this.faults.push(`${what}: ${shown}`)
  }

  /** How many answers had a status in this range. */
  answered(from: number, to: number): number {
    const fitting = [...this.statuses].filter(([status]) => status >= from && status <= to)
    return fitting.reduce((sum, [, count]) => sum + count, 0)
  }
}
