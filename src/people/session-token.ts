import { createHash } from 'node:crypto'
import type { CleanedWhere } from 'better-auth/adapters'

/** The stored form of a session token. Someone who reads the database cannot use it to sign in. */
export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Conditions on the token of a cookie → conditions on its stored form. */
export function byDigest(model: string, where: readonly CleanedWhere[]): readonly CleanedWhere[] {
  if (model !== 'session') return where
  return where.map((one) => (one.field === 'token' ? { ...one, value: tokenDigest(String(one.value)) } : one))
}
