import { fileURLToPath } from 'node:url'
import { scripts } from '../package.json'
import type { Stage } from './stage.ts'

export interface Served {
  /** Of the resource that is measured. */
  readonly url: string
}

/** The service as `npm start` starts it, without log and demo data. */
export function startService(stage: Stage, ends: AsyncDisposableStack): Promise<Served> {
  return start(scripts.start.split(' '), stage, ends)
}

export function startBare(stage: Stage, ends: AsyncDisposableStack): Promise<Served> {
  return start(['bun', fileURLToPath(import.meta.resolve('./bare.ts'))], stage, ends)
}

/** Runs a server on a free port until the end, once it has said where it listens. */
async function start(command: readonly string[], { databaseUrl }: Stage, ends: AsyncDisposableStack): Promise<Served> {
  const [, ...args] = command
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: databaseUrl, LOG: 'off', DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.defer(async () => {
    child.kill('SIGTERM')
    await child.exited
  })
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk
    const [base] = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(said) ?? []
    if (base) return { url: `${base}/rest/v1/project` }
  }
  throw new Error(`${command.join(' ')} ended before it was ready: ${said}`)
}
