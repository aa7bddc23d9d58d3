/** What is said of a failure. `message`, `details` and `hint` are public; `cause` is for the log. */
export interface Words {
  readonly message: string
  readonly details?: string | null
  readonly hint?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** What a client is told when a request fails. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly more: Words,
  ) {
    super(more.message, { cause: more.cause })
  }
}
