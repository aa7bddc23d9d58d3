import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { revokeCredential } from '../../src/keys/change.ts'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import { onEachEngine } from '../support/engines.ts'
import { endAll, runCli, startService, until } from '../support/service.ts'
import type { Tenant } from '../support/world.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

/** Asks again and again, and notes when a request that was still granted began. */
class Prober {
  grantedAt = 0
  refused = 0
  private isRunning = true
  private readonly work: Promise<void>

  constructor(base: string, headers: Record<string, string>) {
    this.work = (async () => {
      while (this.isRunning) {
        const startedAt = performance.now()
        const response = await fetch(`${base}/rest/v1/project`, { headers })
        const isGranted = response.status === 200 && (await response.text()) !== '[]'
        if (isGranted) this.grantedAt = startedAt
        else this.refused += 1
        // Often enough to see a second, and seldom enough to leave the processor to others.
        await Bun.sleep(5)
      }
    })()
  }

  async stop(): Promise<void> {
    this.isRunning = false
    await this.work
  }
}

onEachEngine('two instances on one database', (world) => {
  const instances = async (tenant: Tenant, change: () => Promise<unknown>) => {
    const other = await startService({ DATABASE_URL: world.databaseUrl, DEMO: 'off', LOG: 'off' })
    const probers = [new Prober(world.base, tenant.headers), new Prober(other.base, tenant.headers)]
    await until(() => probers.every(({ grantedAt }) => grantedAt > 0))
    // Long enough for each to have read the credential more than once.
    await Bun.sleep(1500)
    await change()
    const changedAt = performance.now()
    await until(() => probers.every(({ refused }) => refused > 0))
    await Bun.sleep(1500)
    await Promise.all(probers.map((prober) => prober.stop()))
    await other.stop()
    return probers.map(({ grantedAt }) => grantedAt - changedAt)
  }

  test('a credential that is revoked by one stops there at once, and within a second on the other', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const ref = { companyId: tenant.id, id: tenant.credentialId }
    const [here = 0, there = 0] = await instances(tenant, () => revokeCredential(world.db, ref))
    expect(here).toBeLessThan(0)
    expect(there).toBeLessThan(1000)
  })

  test('a credential that is revoked on the command line stops on both within a second', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const revoke = () => runCli(['credential', 'revoke', tenant.credentialId], { DATABASE_URL: world.databaseUrl })
    for (const late of await instances(tenant, revoke)) expect(late).toBeLessThan(1000)
  })

  test('a secret that is rotated without grace stops on both within a second', async () => {
    const tenant = await world.acme.withCredential('read-write')
    const ref = { companyId: tenant.id, id: tenant.credentialId }
    const rotate = () => rotateCredential(world.db, ref, { graceSeconds: 0, by: commandLine })
    const [here = 0, there = 0] = await instances(tenant, rotate)
    expect(here).toBeLessThan(0)
    expect(there).toBeLessThan(1000)
  })
})
