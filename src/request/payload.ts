/** The rows that a body holds, and whether it was one object or a list of them. */
export interface Payload {
  /** As it was sent. */
  readonly text: string
  readonly single: boolean
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Whether some row has other names than the first one. */
  readonly areUnlike?: boolean
  /** Where in a JSON text each row starts. Other texts hold nothing but texts, which are in the rows as they were written. */
  readonly starts?: readonly number[]
}

/** What a text says. */
export type Parsed = Omit<Payload, 'text'>

/** The same of a long one, in steps that each take little time. */
export type Parsing = Generator<void, Parsed>
