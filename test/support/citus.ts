import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { SQL } from 'bun'
import { readConfig } from '../../src/config/config.ts'
import { distribute, listUndistributed } from '../../src/store/cluster/cluster.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import type { Place } from './engines.ts'
import { until } from './service.ts'

/** Few, so that a test does not wait long for them, and so that each of three nodes has some. */
const shards = 6

/** The coordinator of a cluster that tests may use as they like. */
export function citusUrl(): string {
  const url = process.env.CITUS_URL
  if (url) return url
  throw new Error(
    'Set CITUS_URL to the coordinator of a Citus cluster on this machine, such as postgres://postgres@127.0.0.1:9700/postgres. CONTRIBUTING.md says how to start one.',
  )
}

export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** The coordinator first. */
export async function listNodes(): Promise<NodeAddress[]> {
  const rows = await query(
    citusUrl(),
    "select nodename, nodeport from pg_dist_node where noderole = 'primary' order by groupid",
  )
  if (rows.length < 3) throw new Error('The cluster of CITUS_URL must have two workers or more.')
  return rows.map(([host, port]) => ({ host: String(host), port: Number(port) }))
}

/** One database of the cluster, as one of its nodes sees it. */
function urlAt({ host, port }: NodeAddress, database: string): string {
  const url = new URL(citusUrl())
  url.hostname = host
  url.port = String(port)
  url.pathname = `/${database}`
  url.search = ''
  return url.href
}

export async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new SQL(url, { max: 1 })
  try {
    return await client.unsafe(statement).values()
  } finally {
    await client.close()
  }
}

/** Makes a database on every node that is a copy of one whose tables are distributed. */
export async function makeDistributedPlace(): Promise<Place> {
  template ??= makeTemplate()
  return makeCopy(await template)
}

/** A database on every node, joined to a cluster; nothing is in it yet. */
export async function makeEmptyPlace(): Promise<Place> {
  const name = newName()
  await onEachNode((node) => query(urlAt(node, 'postgres'), `create database ${name} template template0`))
  const nodes = await onEachNode((node) => query(urlAt(node, name), 'create extension citus').then(() => node))
  const [coordinator, ...workers] = nodes
  if (!coordinator) throw new Error('There is no coordinator.')
  const own = urlAt(coordinator, name)
  await query(own, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`)
  for (const { host, port } of workers) await query(own, `select citus_add_node('${host}', ${port})`)
  return placeOf(name, coordinator)
}

let template: Promise<string> | null = null

async function makeTemplate(): Promise<string> {
  const place = await makeEmptyPlace()
  const db = openDatabase(readConfig({ DATABASE_URL: place.url }, false))
  await migrate(db)
  await distribute(db, await listUndistributed(db), shards)
  await db.close()
  const name = new URL(place.url).pathname.slice(1)
  // A database can be copied only while nobody is connected to it, and Citus itself always is.
  await onEachNode((node) => query(urlAt(node, 'postgres'), `alter database ${name} allow_connections false`))
  return name
}

async function makeCopy(from: string): Promise<Place> {
  const name = newName()
  const nodes = await onEachNode(async (node) => {
    const own = urlAt(node, 'postgres')
    await until(async () => {
      await query(own, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${from}'`)
      const made = await query(own, `create database ${name} template ${from}`).catch(() => null)
      return made !== null
    })
    return node
  })
  const place = placeOf(name, nodes[0] as NodeAddress)
  await query(place.url.replace('?citus=true', ''), `alter database ${name} set citus.propagate_set_commands = 'local'`)
  return place
}

function placeOf(name: string, coordinator: NodeAddress): Place {
  return { url: `${urlAt(coordinator, name)}?citus=true`, remove: () => drop(name) }
}

/** Ends what was made for this run. */
export async function removeTemplate(): Promise<void> {
  const name = await template
  if (name !== null) await drop(name)
}

async function drop(name: string): Promise<void> {
  await onEachNode(async (node) => {
    const attempt = () => query(urlAt(node, 'postgres'), `drop database if exists ${name} with (force)`)
    // Citus' own process may connect again at the same moment.
    await until(() =>
      attempt().then(
        () => true,
        () => false,
      ),
    )
  })
}

async function onEachNode<Result>(work: (node: NodeAddress) => Promise<Result>): Promise<Result[]> {
  return Promise.all((await listNodes()).map(work))
}

const newName = (): string => `test_${Bun.randomUUIDv7().replaceAll('-', '')}`

/** A server of the cluster as a process of this machine. */
export interface NodeProcess extends NodeAddress {
  /** As if its machine had failed. */
  kill(): Promise<void>
  /** It neither answers nor ends its connections. */
  hold(): void
  release(): void
  /** Starts it again as it was started before, and waits until it answers. */
  restart(): Promise<void>
}

export async function processOf(node: NodeAddress): Promise<NodeProcess> {
  const url = urlAt(node, 'postgres')
  const [[backend] = []] = await query(url, 'select pg_backend_pid()')
  let pid = parentOf(Number(backend))
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1)
  const [binary, cwd, { uid, gid }] = [
    readlinkSync(`/proc/${pid}/exe`),
    readlinkSync(`/proc/${pid}/cwd`),
    statSync(`/proc/${pid}`),
  ]
  const answers = () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    )
  return {
    ...node,
    kill: async () => {
      const all = [...childrenOf(pid), pid]
      // Its parent first, so that no new process comes up while the others are ended.
      process.kill(pid, 'SIGSTOP')
      for (const one of all) signal(one, 'SIGKILL')
      await until(() => !isRunning(pid))
    },
    hold: () => {
      for (const one of [pid, ...childrenOf(pid)]) signal(one, 'SIGSTOP')
    },
    release: () => {
      for (const one of [pid, ...childrenOf(pid)]) signal(one, 'SIGCONT')
    },
    restart: async () => {
      await until(async () => {
        const child = Bun.spawn([binary, ...command], {
          cwd,
          uid,
          gid,
          env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' },
          stdio: ['ignore', 'ignore', 'ignore'],
          detached: true,
        })
        child.unref()
        pid = child.pid
        // It refuses to start while the system still cleans up after the processes that were killed.
        await until(async () => child.exitCode !== null || (await answers()))
        return child.exitCode === null
      })
    },
  }
}

const childrenOf = (pid: number): number[] =>
  Bun.spawnSync(['ps', '-A', '-o', 'ppid=,pid='])
    .stdout.toString()
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [parent, child] = line.trim().split(/\s+/).map(Number)
      return parent === pid && child ? [child] : []
    })

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
