import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createSeal, type Seal } from './seal.ts'

/** The key for the secrets of webhooks: AUTH_SECRET, or else a file. */
export interface KeySettings {
  readonly authSecret: string | null
  readonly webhookKeyFile: string
}

/** Opens what was sealed with either; seals with the first that is given. A missing file is made. */
export function findSeal({ authSecret, webhookKeyFile: path }: KeySettings): Seal {
  const [byFile, bySecret] = [readKey(path), authSecret]
  const keys = [bySecret, byFile].filter((key) => key !== null)
  return createSeal(keys.length > 0 ? keys : [makeKey(path)])
}

function readKey(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Of several processes that try at once, one makes the file. */
function makeKey(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  return readKey(path) ?? makeKey(path)
}
