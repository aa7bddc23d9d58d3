/** The rows that a body holds, and whether it was one object or a list of them. */
export interface Payload {
  /** As it was sent. */
  readonly text: string
  readonly single: boolean
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** What a text says. */
export type Parsed = Omit<Payload, 'text'>

/** The same of a long one, in steps that each take little time. */
export type Parsing = Generator<void, Parsed>
