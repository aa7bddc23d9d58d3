import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { scripts } from '../../package.json'
import { type Ended, untilConnected, untilConnectedCommand } from './until-connected.ts'

export type Environment = Readonly<Record<string, string>>

/** The real program in a process of its own. */
export interface Service {
  readonly base: string
  readonly pid: number
  /** From the start of the process until it answered. */
  readonly answeredInMs: number
  /** What it printed for people when it had started: on standard error if the log is JSON, otherwise on standard output. */
  readonly banner: string
  readonly stdout: string
  /** Without the banner. */
  readonly stderr: string
  /** The exit code, once it has ended. */
  readonly ended: Promise<number>
  kill(signal: NodeJS.Signals): void
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<number>
}

/** Starts the service on a port of its own, by way of another program where one is named, and waits until it answers. */
export const startService = (env: Environment, through: readonly string[] = []): Promise<Service> =>
  startProgram([...through, ...startCommand(env)], env)

/** The same with any command that starts a version of the service. */
export const startProgram = (command: readonly string[], env: Environment): Promise<Service> =>
  untilConnected(() => startOnce(command, env))

async function startOnce(command: readonly string[], env: Environment): Promise<Service> {
  const startedAt = performance.now()
  const child = spawnProgram(command, { PORT: '0', ...env }, tmpdir())
  const base = await untilListening(child)
  await untilLive(base)
  const notice = child.stderr
  return {
    base,
    banner: notice === '' ? child.stdout : notice,
    pid: child.pid,
    answeredInMs: performance.now() - startedAt,
    get stdout() {
      return child.stdout
    },
    get stderr() {
      return child.stderr.slice(notice.length)
    },
    ended: child.ended,
    kill: child.kill,
    stop: () => {
      child.kill('SIGTERM')
      return child.ended
    },
  }
}

/** Starts one command, for a test that does not only want to see its end. */
export const startCli = (args: readonly string[], env: Environment): Child =>
  spawnProgram([...programFor(env), ...args], env, tmpdir())

/** Runs one command to its end. One that does not come to it within five minutes is killed. */
export const runCli = (args: readonly string[], env: Environment, folder = tmpdir()): Promise<Ended> =>
  untilConnectedCommand(() => runOnce(args, env, folder))

async function runOnce(args: readonly string[], env: Environment, folder: string): Promise<Ended> {
  const child = spawnProgram([...programFor(env), ...args], env, folder)
  const timer = setTimeout(() => child.kill('SIGKILL'), 300_000)
  const exitCode = await child.ended
  clearTimeout(timer)
  return { exitCode, stdout: child.stdout, stderr: child.stderr }
}

/** Ends whatever a test that failed has left. Bun's test runner tells a process nothing of its end, so each file asks for it. */
export async function endAll(): Promise<void> {
  const left = [...running]
  for (const child of left) child.kill('SIGKILL')
  await Promise.all(left.map(({ ended }) => ended))
}

/** Waits until something holds, for as long as the test may take. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await Bun.sleep(10)
}

/** Waits for so long for something that may not come; whether it has. */
export async function comesWithin(ms: number, holds: () => boolean): Promise<boolean> {
  const endsAt = performance.now() + ms
  await until(() => holds() || performance.now() > endsAt)
  return holds()
}

/** What a process holds in memory, in MB. */
export function residentMb(pid: number): number {
  if (process.platform === 'linux') {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  }
  return Number(Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString()) / 1024
}

const sources = join(import.meta.dir, '../../src/main.ts')
const [, , ...startWords] = scripts.start.split(' ')

/**
 * An executable in place of the sources: to whoever only uses the program, the two are the same. `TEST_SERVICE` names it
 * in `npm test`, because it starts in a third of the time, and `EXECUTABLE` where it is what is tested.
 */
const { EXECUTABLE, TEST_SERVICE } = process.env
const executable = EXECUTABLE ?? TEST_SERVICE

/** Only sources can be changed while they are loaded. */
const isChanged = ({ BUN_OPTIONS }: Environment): boolean => BUN_OPTIONS !== undefined

const programFor = (env: Environment): string[] =>
  executable && !isChanged(env) ? [resolve(executable)] : [process.execPath, sources]

/** `exec bun --option src/main.ts serve` without its first two words, from any folder. */
export const startCommand = (env: Environment): string[] =>
  executable && !isChanged(env)
    ? [resolve(executable), 'serve']
    : [process.execPath, ...startWords.map((word) => (word === 'src/main.ts' ? sources : word))]

interface Child {
  readonly pid: number
  readonly ended: Promise<number>
  readonly stdout: string
  readonly stderr: string
  kill(signal: NodeJS.Signals): void
}

const running = new Set<Child>()

function spawnProgram(command: readonly string[], env: Environment, cwd: string): Child {
  // Nothing of the test run's own environment may change what the program does.
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const started: Child = {
    pid: child.pid,
    ended: Promise.all([child.exited, stdout.done, stderr.done]).then(([exitCode]) => {
      running.delete(started)
      return exitCode
    }),
    get stdout() {
      return stdout.text()
    },
    get stderr() {
      return stderr.text()
    },
    kill: (signal) => {
      // The id of a process that has ended may be another's by now.
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    },
  }
  running.add(started)
  return started
}

function collect(stream: ReadableStream<Uint8Array>) {
  const utf8 = new TextDecoder()
  let text = ''
  const done = (async () => {
    for await (const bytes of stream) text += utf8.decode(bytes, { stream: true })
  })()
  return { done, text: () => text }
}

async function untilListening(child: Child): Promise<string> {
  const addressOf = () => /(https?:\/\/\S+)\/rest\/v1\/project\n/.exec(child.stdout + child.stderr)?.[1]
  const early = child.ended.then((exitCode) => {
    if (!addressOf()) throw new Error(`The service ended with exit code ${exitCode}: ${child.stderr}`)
  })
  await Promise.race([early, until(() => addressOf() !== undefined)])
  return addressOf() ?? ''
}

async function untilLive(base: string): Promise<void> {
  await until(async () => {
    const answer = await fetch(`${base}/health/live`, { tls: { rejectUnauthorized: false } }).catch(() => null)
    return answer?.status === 200
  })
}
