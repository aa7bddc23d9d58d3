import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Caller } from './place.ts'

export interface Load {
  readonly url: string
  readonly caller: Caller
  /** null: a GET. */
  readonly body: string | null
  /** The process id of the server. */
  readonly pid: number
  /** The header of that name. */
  readonly prefer?: string
  readonly connections?: number
}

const connectionsDefault = 64

interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Includes the CPU time of the server process per request, which other load on the machine hardly affects. */
export interface Busy extends Measured {
  readonly cpuUs: number
}

export function requireWrk(): void {
  if (Bun.which('wrk') === null) throw new Error('The bench needs wrk. On Debian: apt-get install wrk')
}

/** Repeats one request on many connections, as fast as possible. */
export async function measure(load: Load, seconds: number): Promise<Busy> {
  const { url, caller, body, pid, prefer = '', connections = connectionsDefault } = load
  const folder = mkdtempSync(join(tmpdir(), 'project-api-wrk-'))
  try {
    const file = join(folder, 'body')
    if (body !== null) writeFileSync(file, body)
    const before = busyUs(pid)
    const { requests, errors, ...measured } = await runWrk(
      './wrk.lua',
      url,
      seconds,
      caller,
      {
        BODY_FILE: body === null ? '' : file,
        PREFER: prefer,
      },
      connections,
    )
    if (errors > 0) throw new Error(`${errors} of ${requests} requests to ${url} failed`)
    // On a busy machine, large requests may take longer than a short round.
    if (requests === 0) return measure(load, seconds * 2)
    return { ...measured, cpuUs: (busyUs(pid) - before) / requests }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export interface WrkResult extends Measured {
  readonly requests: number
  readonly errors: number
}

export async function runWrk(
  script: string,
  url: string,
  seconds: number,
  caller: Caller,
  env: Readonly<Record<string, string>>,
  connections = connectionsDefault,
): Promise<WrkResult> {
  const path = fileURLToPath(import.meta.resolve(script))
  const wrk = Bun.spawn(['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', path, url], {
    env: {
      PATH: process.env.PATH,
      API_KEY: caller.apikey,
      API_SECRET: caller['x-api-secret'],
      AUTHORIZATION: caller.authorization,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const text = await wrk.stdout.text()
  const [, result] = /^result (.*)$/m.exec(text) ?? []
  if (result === undefined) throw new Error(`wrk said nothing of use: ${text}`)
  const { requests, errors, us, p50Us, p99Us } = JSON.parse(result)
  return { requests, errors, perSecond: requests / (us / 1e6), p50Ms: p50Us / 1000, p99Ms: p99Us / 1000 }
}

/** The CPU time of a process so far. The kernel counts in hundredths of a second. */
export function busyUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
