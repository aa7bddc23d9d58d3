import { fileURLToPath } from 'node:url'
import { scripts } from '../package.json'
import type { Place } from './place.ts'

export interface Served {
  readonly base: string
  readonly pid: number
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string>>
type Where = Pick<Place, 'databaseUrl'>

/** The service as `npm start` starts it, without log and demo data. */
export function startService(place: Where, ends: AsyncDisposableStack, env: Environment = {}): Promise<Served> {
  const [, ...command] = scripts.start.split(' ')
  return startProgram(command, { DATABASE_URL: place.databaseUrl, LOG: 'off', DEMO: 'off', ...env }, ends)
}

export function startBare(place: Where, ends: AsyncDisposableStack): Promise<Served> {
  const program = fileURLToPath(import.meta.resolve('./bare/server.ts'))
  return startProgram(['bun', program], { DATABASE_URL: place.databaseUrl }, ends)
}

/** Starts a server, and waits until it has printed its URL, or until it answers at the URL that is known before. */
export async function startProgram(
  command: readonly string[],
  env: Environment,
  ends: AsyncDisposableStack,
  knownBase: string | null = null,
): Promise<Served> {
  const [program = '', ...args] = command
  const child = Bun.spawn([program === 'bun' ? process.execPath : program, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    // The environment of this run must not affect the measurement.
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await child.exited
  }
  ends.defer(stop)
  if (knownBase !== null) {
    await untilAnswering(knownBase, () => child.exitCode !== null)
    return { base: knownBase, pid: child.pid, stop }
  }
  let said = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk
    const [base] = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(said) ?? []
    if (base) return { base, pid: child.pid, stop }
  }
  throw new Error(`${command.join(' ')} ended before it was ready: ${said}`)
}

async function untilAnswering(base: string, isOver: () => boolean): Promise<void> {
  for (;;) {
    const answer = await fetch(base).catch(() => null)
    // Any answer will do, such as a refusal without a token; but 503 means that it is not ready yet.
    if (answer && answer.status < 500) return
    if (isOver()) throw new Error(`The server for ${base} ended before it was ready`)
    await Bun.sleep(50)
  }
}
