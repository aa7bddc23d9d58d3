import { ApiError } from '../errors/index.ts'

/** What the engine said, not what a client of the API would be told. */
export const engineError = (error: unknown): unknown =>
  error instanceof ApiError && error.cause !== undefined ? error.cause : error
