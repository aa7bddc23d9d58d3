import type { JsonObject } from './schemas.ts'

/** Whom to ask about this server. */
export const contactOf = (baseUrl: string | null): JsonObject => ({
  name: 'The operator of this server',
  ...(baseUrl === null ? {} : { url: baseUrl }),
})
