import { createHash } from 'node:crypto'
import type { CleanedWhere } from 'better-auth/adapters'

/** What is kept of a session's token: whoever reads the database cannot go on as somebody who is signed in. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Conditions by the token that a cookie gave → by what is kept of it. */
export function byDigest(model: string, where: readonly CleanedWhere[]): readonly CleanedWhere[] {
  if (model !== 'session') return where
  return where.map((one) => (one.field === 'token' ? { ...one, value: tokenDigest(String(one.value)) } : one))
}
