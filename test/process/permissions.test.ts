import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTables } from '../support/database.ts'
import { endAll, startService } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const folder = mkdtempSync(join(tmpdir(), 'project-api-permissions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** The modes of the files of a database while it is served. */
async function modesOf(path: string): Promise<Record<string, string>> {
  const service = await startService({ DATABASE_URL: join(path, 'x.db') })
  const modes = Object.fromEntries(readdirSync(path).map((name) => [name, modeOf(join(path, name))]))
  await service.stop()
  return modes
}

const ownersAlone = { 'x.db': '600', 'x.db-shm': '600', 'x.db-wal': '600' }

describe.each([
  ['nothing', 0o000],
  ['the usual', 0o022],
])('where the umask takes away %s', (_, umask) => {
  const inFolder = (name: string): string => join(folder, `${umask} ${name}`)
  let before = 0
  beforeAll(() => {
    before = process.umask(umask)
  })
  afterAll(() => {
    process.umask(before)
  })

  test('a new database and the directories made for it are for their owner alone, from the first moment', async () => {
    expect(await modesOf(inFolder('new/deep'))).toEqual(ownersAlone)
    expect([modeOf(inFolder('new')), modeOf(inFolder('new/deep'))]).toEqual(['700', '700'])
  })

  test('a directory that was there stays as it was', async () => {
    mkdirSync(inFolder('old'), { mode: 0o755 })
    chmodSync(inFolder('old'), 0o755)
    expect(await modesOf(inFolder('old'))).toEqual(ownersAlone)
    expect(modeOf(inFolder('old'))).toBe('755')
  })

  test('a database that others could read is closed to them', async () => {
    const path = inFolder('open')
    await createTables(join(path, 'x.db'))
    const service = await startService({ DATABASE_URL: join(path, 'x.db') })
    for (const name of Object.keys(ownersAlone)) chmodSync(join(path, name), 0o644)
    service.kill('SIGKILL')
    await service.ended
    expect(await modesOf(path)).toEqual(ownersAlone)
  })
})
