/** All that is sent back, as plain data. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | AsyncIterable<string> | null
}
