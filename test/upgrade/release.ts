import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SQL } from 'bun'
import type { TestEngine } from '../support/engines.ts'
import { type Environment, type Service, startProgram } from '../support/service.ts'

/** The last release: its program, and a database that it has filled. `npm run keep-release` makes the files. */
export const releaseFolder = join(import.meta.dir, 'release')
const root = join(import.meta.dir, '../..')

/** A company in the database, and what its application reads there. */
export interface KeptCompany {
  readonly name: string
  readonly headers: Readonly<Record<'apikey' | 'X-API-Secret', string>>
  readonly readOnlyHeaders: Readonly<Record<'apikey' | 'X-API-Secret', string>>
  readonly revokedKey: string
  readonly email: string
  readonly password: string
  readonly bidId: string
  /** The text of each response, by its path. */
  readonly answers: Readonly<Record<string, string>>
}

export interface KeptRelease {
  readonly version: string
  readonly companies: Readonly<Record<TestEngine['name'], readonly KeptCompany[]>>
}

const kept = (name: string): Buffer => readFileSync(join(releaseFolder, name))

export const readRelease = (): KeptRelease => JSON.parse(kept('release.json').toString())

/** Puts the database of the release into an empty place. */
export async function restoreRelease(engine: TestEngine['name'], url: string): Promise<void> {
  if (engine === 'sqlite') return writeFileSync(url, gunzipSync(kept('sqlite.db.gz')))
  const client = new SQL(url, { max: 1 })
  try {
    await client.unsafe(gunzipSync(kept('postgres.sql.gz')).toString())
  } finally {
    await client.close()
  }
}

/** The program of the release. It uses the packages that are installed now. */
export function openProgram(program: string): {
  start(env: Environment): Promise<Service>
  readonly command: readonly string[]
  remove(): void
} {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-release-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // It starts child processes by this name, which its sources had.
  const path = join(folder, 'main.ts')
  writeFileSync(path, program)
  const command = [process.execPath, path]
  return {
    command,
    start: (env) => startProgram([...command, 'serve'], env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const readProgram = (): string => gunzipSync(kept('program.js.gz')).toString()
