import { nextTurn } from '../traffic/next-turn.ts'

const parts: readonly (() => Promise<unknown>)[] = [
  // A dependency of passkeys needs this first, and in the bundled executable its own import of it comes too late.
  () => import('reflect-metadata'),
  () => import('better-auth/crypto'),
  () => import('better-auth/cookies'),
  () => import('better-auth/adapters'),
  () => import('better-auth/api'),
  () => import('better-auth'),
  () => import('@simplewebauthn/server/helpers'),
  () => import('@better-auth/passkey'),
]

/**
 * Loads better-auth with the first request for it: it is large, and the API has no use for it. Everybody waits while a
 * module is loaded, so this is done in parts.
 */
export async function loadAuth(): Promise<typeof import('./auth.ts')> {
  for (const load of parts) {
    await load()
    await nextTurn()
  }
  return import('./auth.ts')
}
