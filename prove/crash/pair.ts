import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts'
import type { Attempt } from '../proof.ts'
import { type Relay, startRelay } from './relay.ts'

/** A primary whose commits wait for its standby, and the address under which the service knows whichever is the primary. */
export interface Pair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  readonly address: Relay
  /** What the primary sends to the standby goes through here. */
  readonly replication: Relay
  readonly url: string
}

export async function startPair(ends: Attempt['ends']): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-pair-'))
  ends.defer(() => rmSync(folder, { recursive: true, force: true }))
  const twin = join(folder, 'data')
  const primary = await startPostgres('on', {
    settings: ['synchronous_standby_names=*', 'synchronous_commit=on'],
    furnish: (data) => copyFolder(data, twin),
  })
  ends.defer(() => primary.stop())
  const replication = await startRelay(portOf(primary.url))
  ends.defer(() => replication.close())
  const standby = await startPostgres('on', {
    settings: [`primary_conninfo=host=127.0.0.1 port=${replication.port} user=postgres`],
    furnish: (data) => {
      rmSync(data, { recursive: true })
      copyFolder(twin, data)
      run('touch', join(data, 'standby.signal'))
      run('chown', '--reference', join(data, 'PG_VERSION'), join(data, 'standby.signal'))
    },
  })
  ends.defer(() => standby.stop())
  await untilSynchronous(primary.url)
  const address = await startRelay(portOf(primary.url))
  ends.defer(() => address.close())
  return { primary, standby, address, replication, url: primary.url.replace(/:\d+\//, `:${address.port}/`) }
}

/** Makes the standby a primary, and waits until it writes. */
export async function promote({ standby }: Pair): Promise<void> {
  await ask(standby.url, 'select pg_promote(true, 60)')
}

export const portOf = (url: string): number => Number(new URL(url).port)

async function untilSynchronous(url: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const [found] = await ask(url, "select 1 from pg_stat_replication where sync_state = 'sync'")
    if (found) return
    await Bun.sleep(50)
  }
  throw new Error('The standby did not connect to the primary within a minute')
}

async function ask(url: string, question: string): Promise<unknown[]> {
  const client = new SQL(url, { max: 1 })
  try {
    return await client.unsafe(question)
  } finally {
    await client.close()
  }
}

/** With their owners: the server accepts no files of another's. */
const copyFolder = (from: string, to: string): void => run('cp', '-a', from, to)

function run(...[command = '', ...args]: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
}
