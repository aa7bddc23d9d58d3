import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockedMaxMs } from '../../src/store/sqlite/sqlite-locks.ts'
import { endAll, runCli, type Service, startService, until } from '../support/service.ts'
import { type Application, expectUnavailable, live, makeApplication, ready } from './support.ts'

setDefaultTimeout(300_000)

const folder = mkdtempSync(join(tmpdir(), 'project-api-faults-'))
const isRoot = process.getuid?.() === 0
/** Root may write everything, unless it is started without this right. */
const asOwner = isRoot ? ['setpriv', '--bounding-set=-dac_override'] : []
const settings = (path: string) => ({ DATABASE_URL: path, DEMO: 'off' })

afterAll(async () => {
  await endAll()
  rmSync(folder, { recursive: true, force: true })
})

describe('a file that another program keeps locked', () => {
  const path = join(folder, 'locked.db')
  let acme: Application
  let service: Service
  let other: Database

  beforeAll(async () => {
    acme = await makeApplication(path)
    service = await startService(settings(path))
    other = new Database(path)
    // The service writes what it has counted whenever it likes.
    other.run('pragma busy_timeout = 60000')
  })
  afterAll(async () => {
    other.close()
    await service.stop()
  })

  test('makes writes wait, and nobody else', async () => {
    const expected = ['read 200', 'live 200', 'write 201']
    let order: string[] = []
    let lockedMs = Number.POSITIVE_INFINITY
    // Where this process stood still for as long as a write may wait, that was refused.
    for (let rounds = 0; rounds < 4 && lockedMs >= lockedMaxMs && !Bun.deepEquals(order, expected); rounds += 1) {
      other.run('begin exclusive')
      const lockedAt = performance.now()
      order = []
      const write = acme.create(service, 'Waited').then(({ status }) => order.push(`write ${status}`))
      await Bun.sleep(200)
      order.push(`read ${(await acme.list(service)).status}`, `live ${await live(service)}`)
      other.run('rollback')
      lockedMs = performance.now() - lockedAt
      await write
    }
    expect(order).toEqual(expected)
  })

  test('for long refuses writes, and is used again by itself', async () => {
    other.run('begin exclusive')
    const refused = acme.create(service, 'Refused')
    expect([(await acme.list(service)).status, (await ready(service)).status, await live(service)]).toEqual([
      200, 200, 200,
    ])
    expectUnavailable(await refused, 'PGRST001')
    other.run('rollback')
    expect((await acme.create(service, 'Afterwards')).status).toBe(201)
    expect(await acme.names(service)).toEqual(['Waited', 'Afterwards'])
  })

  test('at the start is a refusal that says so', async () => {
    other.run('begin exclusive')
    const { exitCode, stderr } = await runCli(['serve'], { ...settings(path), PORT: '0' })
    other.run('rollback')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/locked\.db cannot be opened: database is locked\. If another program has locked it/)
  })
})

describe('a disk that is full', () => {
  const place = join(folder, 'small')
  const isMounted = isRoot && mountSmall(place)
  // Who may not mount a small disk makes do with a limit on the size of files.
  const through = isMounted ? [] : ['sh', '-c', 'trap "" XFSZ; ulimit -S -f 4096; exec "$@"', 'sh']
  const ballast = join(place, 'ballast')
  const path = join(place, 'full.db')
  let acme: Application
  let service: Service

  beforeAll(async () => {
    mkdirSync(place, { recursive: true })
    if (isMounted) writeFileSync(ballast, Buffer.alloc(1_000_000))
    acme = await makeApplication(path)
    service = await startService(settings(path), through)
  })
  afterAll(async () => {
    await service.stop()
    // This process has had the database open, and keeps one of its files open to its end (src/store/sqlite/log-index.ts).
    if (isMounted) Bun.spawnSync(['umount', '--lazy', place])
  })

  test('refuses what has no room, serves what is there, and takes more once there is room', async () => {
    const stored: string[] = []
    let refused = 0
    // Writes that come together share a commit: those with room for them must not suffer from the one without.
    for (let at = 0; refused < 20; at += 1) {
      const names = Array.from({ length: 10 }, (_, n) => `${at}.${n} ${'x'.repeat(200)}`)
      const replies = await Promise.all(names.map((name) => acme.create(service, name)))
      for (const [n, reply] of replies.entries()) {
        if (reply.status === 201) stored.push(names[n] ?? '')
        else {
          expectUnavailable(reply, ...(isMounted ? ['53100'] : ['53100', 'PGRST001']))
          refused += 1
        }
      }
    }
    expect(stored.length).toBeGreaterThan(100)
    expect((await acme.names(service)).sort()).toEqual(stored.toSorted())
    expect([(await ready(service)).status, await live(service)]).toEqual([200, 200])
    if (isMounted) rmSync(ballast)
    else Bun.spawnSync(['prlimit', '--pid', String(service.pid), '--fsize=unlimited'])
    await until(async () => (await acme.create(service, 'Room')).status === 201)
    expect((await acme.names(service)).filter((name) => name !== 'Room').sort()).toEqual(stored.toSorted())
    expect(service.stdout).not.toContain('"status":500')
  })
})

describe('a file that may only be read', () => {
  const place = join(folder, 'readonly')
  const path = join(place, 'readonly.db')
  beforeAll(async () => {
    await makeApplication(path)
  })

  test.each([
    ['itself', () => chmodSync(path, 0o444), () => chmodSync(path, 0o600)],
    ['with its directory', () => chmodSync(place, 0o555), () => chmodSync(place, 0o700)],
  ])('%s is a refusal to start that says what to do', async (_, forbid, allow) => {
    forbid()
    try {
      const start = startService(settings(path), asOwner)
      await expect(start).rejects.toThrow(
        /exit code 1: The database file \S+ cannot be opened: .*write permission for the file and its directory/,
      )
    } finally {
      allow()
    }
    const service = await startService(settings(path), asOwner)
    expect((await ready(service)).status).toBe(200)
    await service.stop()
  })
})

describe('a damaged file', () => {
  const path = join(folder, 'whole.db')
  let acme: Application
  beforeAll(async () => {
    acme = await makeApplication(path)
    const service = await startService(settings(path))
    for (let batch = 0; batch < 10; batch += 1)
      await Promise.all(Array.from({ length: 50 }, (_, n) => acme.create(service, `${batch} ${n} ${'x'.repeat(200)}`)))
    await service.stop()
  })

  const overwrite = (file: string, from: number, length: number) => {
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(length, 0x41), 0, length, from)
    closeSync(handle)
  }
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'its header overwritten': (file) => overwrite(file, 0, 100),
    'its schema overwritten': (file) => overwrite(file, 100, 3000),
    'its end cut off': (file) => truncateSync(file, 20 * 4096),
    'another kind of content': (file) => writeFileSync(file, 'This is a letter, and no database. '.repeat(1000)),
  }

  test.each(Object.keys(damages))('with %s is a refusal to start that names the backup', async (damage) => {
    const file = join(folder, `${damage.replaceAll(' ', '-')}.db`)
    copyFileSync(path, file)
    damages[damage]?.(file)
    const before = Bun.hash(await Bun.file(file).bytes())
    const { exitCode, stderr } = await runCli(['serve'], { ...settings(file), PORT: '0' })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`${file} cannot be opened`)
    expect(stderr).toContain('Restore the latest backup with "restore FILE --replace"')
    expect(Bun.hash(await Bun.file(file).bytes())).toBe(before)
  })

  test('with a page overwritten in the middle refuses what needs the page, and serves the rest', async () => {
    const file = join(folder, 'middle.db')
    copyFileSync(path, file)
    const pages = new Database(file)
    const [[root] = []] = pages.query("select rootpage from sqlite_schema where name = 'project'").values()
    pages.close()
    overwrite(file, (Number(root) - 1) * 4096, 4096)
    const service = await startService(settings(file))
    try {
      expectUnavailable(await acme.list(service), 'XX001')
      expectUnavailable(await acme.create(service, 'Damaged'), 'XX001')
      expect([(await ready(service)).status, await live(service)]).toEqual([200, 200])
      await until(() => service.stdout.includes('SQLiteError: database disk image is malformed'))
    } finally {
      await service.stop()
    }
  })
})

/** A disk of two megabytes. */
function mountSmall(place: string): boolean {
  mkdirSync(place, { recursive: true })
  return Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place]).exitCode === 0
}
