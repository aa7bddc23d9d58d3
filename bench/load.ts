import { fileURLToPath } from 'node:url'
import type { Caller } from './stage.ts'

/** What is asked, over and over. */
export interface Load {
  readonly name: string
  readonly caller: Caller
  /** null: a GET. */
  readonly body: string | null
}

export interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export function requireWrk(): void {
  if (Bun.which('wrk') === null) throw new Error('The bench needs wrk. On Debian: apt-get install wrk')
}

export async function measure(url: string, { caller, body, name }: Load, seconds: number): Promise<Measured> {
  const script = fileURLToPath(import.meta.resolve('./wrk.lua'))
  const wrk = Bun.spawn(['wrk', '-t1', '-c64', `-d${seconds}s`, '-s', script, url], {
    env: { ...process.env, API_KEY: caller.apikey, API_SECRET: caller['x-api-secret'], BODY: body ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const text = await wrk.stdout.text()
  const [, result] = /^result (.*)$/m.exec(text) ?? []
  if (result === undefined) throw new Error(`wrk said nothing of use: ${text}`)
  const { requests, errors, us, p50Us, p99Us } = JSON.parse(result)
  if (errors > 0 || requests === 0) throw new Error(`${name}: ${errors} of ${requests} requests to ${url} failed`)
  return { perSecond: requests / (us / 1e6), p50Ms: p50Us / 1000, p99Ms: p99Us / 1000 }
}
