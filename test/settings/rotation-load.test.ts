import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config/config.ts'
import { listLiveSecrets } from '../../src/keys/report.ts'
import { endSecret, rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open.ts'
import { sql } from '../../src/store/sql.ts'
import { nextTurn } from '../../src/traffic/next-turn.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'
import type { Tenant } from '../support/world.ts'

const rotations = 200
const workers = 8

/** An application that never pauses, and takes each new secret as soon as it has it. */
class Application {
  secret: string
  requests = 0
  readonly failed: string[] = []
  private readonly inUse = new Map<number, string>()
  private isRunning = true
  private readonly work: Promise<unknown>

  constructor(private readonly tenant: Tenant) {
    this.secret = tenant.apiSecret
    this.work = Promise.all(Array.from({ length: workers }, (_, worker) => this.run(worker)))
  }

  private async run(worker: number): Promise<void> {
    while (this.isRunning) {
      this.inUse.set(worker, this.secret)
      const { status, json } = await this.tenant.get('/project', { 'X-API-Secret': this.secret })
      this.inUse.delete(worker)
      this.requests += 1
      if (status !== 200 || json.length !== 1) this.failed.push(`${status} with ${json.length} rows`)
    }
  }

  /** Changes over, and comes back once nothing uses another secret any more. */
  async take(secret: string): Promise<void> {
    this.secret = secret
    await until(() => [...this.inUse.values()].every((used) => used === secret))
  }

  async stop(): Promise<void> {
    this.isRunning = false
    await this.work
  }
}

onEachEngine('rotation under load', (world) => {
  test(`${rotations} rotations with grace, from this process and from another: no request fails`, async () => {
    const tenant = await world.acme.withCredential('read-write')
    const ref = { companyId: tenant.id, id: tenant.credentialId }
    const liveSecrets = (db: Database) =>
      listLiveSecrets(db.forCompany(tenant.id), sql`${tenant.credentialId}`, new Date())
    // What this does, the server learns from the database alone, as from an instance elsewhere.
    const elsewhere = openDatabase(readConfig({ DATABASE_URL: world.databaseUrl }, false))
    const application = new Application(tenant)
    for (let at = 0; at < rotations; at += 1) {
      const db = at % 2 === 0 ? world.db : elsewhere
      const [old] = await liveSecrets(db)
      const { apiSecret } = await rotateCredential(db, ref, { graceSeconds: 3600, by: commandLine })
      await application.take(apiSecret)
      await endSecret(db, ref, old?.id ?? '', commandLine)
    }
    await application.stop()
    expect(await liveSecrets(elsewhere)).toHaveLength(1)
    await elsewhere.close()
    expect(application.failed).toEqual([])
    expect(application.requests).toBeGreaterThan(rotations)
    // Reads of one turn may share a snapshot that was taken before.
    await nextTurn()
    expect(await liveSecrets(world.db)).toHaveLength(1)
    expect((await tenant.get('/project')).text).toBe('[]')
  }, 300_000)
})
