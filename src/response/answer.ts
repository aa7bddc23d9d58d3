import type { Coding } from '../coding/choose-coding.ts'
import type { ApiError } from '../errors/index.ts'

/** All that is sent back, as plain data. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Values of Set-Cookie, the one header that may come more than once. */
  readonly cookies?: readonly string[]
  readonly body: string | AsyncIterable<string> | null
  /** How long a part of the body may be; left out if that is not known. */
  readonly partBytes?: number
  /** How the body is compressed on its way; left out: not at all. */
  readonly coding?: Coding
  /** What failed, where a protocol tells it in a body of its own and with the status 200: for the log and the metrics. */
  readonly error?: ApiError
}
