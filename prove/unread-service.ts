import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Environment, type Service, startCommand, until } from '../test/support/service.ts'
import { untilConnected } from '../test/support/until-connected.ts'

/** A service whose standard output is a pipe that is read only when somebody asks for it. */
export interface UnreadService extends Pick<Service, 'base' | 'pid' | 'ended' | 'kill'> {
  isRunning(): boolean
  /** All that is in the pipe now. */
  readLog(): string
  /** Kills it, if it still runs, and removes the pipe. */
  end(): Promise<void>
}

/** Starts the service with such a pipe, and reads no more than the address at which it listens. */
export const startUnread = (env: Environment): Promise<UnreadService> => untilConnected(() => startOnce(env))

async function startOnce(env: Environment): Promise<UnreadService> {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-pipe-'))
  const path = join(folder, 'log')
  if (Bun.spawnSync(['mkfifo', path]).exitCode !== 0) throw new Error('mkfifo failed')
  // For both directions, so that it opens before anybody writes and never ends.
  const reading = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const writing = openSync(path, 'w')
  const child = Bun.spawn(startCommand(env), {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG: 'json', ...env },
    stdio: ['ignore', writing, 'pipe'],
  })
  const complaints = passOn(child.stderr)
  closeSync(writing)
  const readLog = (): string => readAll(reading)
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.exited
    closeSync(reading)
    rmSync(folder, { recursive: true })
  }
  let said = ''
  // Without a log, the address stands in the banner only.
  const addressOf = () =>
    (/"event":"started".*"url":"([^"]+)".*\n/.exec(said) ?? /(http:\S+)\/rest\/v1\/project\n/.exec(said))?.[1]
  await until(() => {
    said += readLog()
    return addressOf() !== undefined || child.exitCode !== null
  })
  const base = addressOf()
  if (base === undefined) {
    await end()
    throw new Error(`The service did not start: ${said}${await complaints}`)
  }
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  return { base, pid: child.pid, ended: child.exited, kill: (signal) => child.kill(signal), isRunning, readLog, end }
}

/** Shows what a service writes to its standard error, and resolves to all of it at its end. */
async function passOn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const bytes of stderr) {
    process.stderr.write(bytes)
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString()
}

const part = Buffer.alloc(64 * 1024)

function readAll(file: number): string {
  const parts: string[] = []
  for (;;) {
    try {
      const size = readSync(file, part)
      parts.push(part.toString('utf8', 0, size))
    } catch {
      // EAGAIN: there is no more in it.
      return parts.join('')
    }
  }
}

/** What makes the log wait for whoever reads it. */
export const blockingLog = {
  file: 'src/output/open-standard-stream.ts',
  text: 'constants.O_WRONLY | constants.O_NONBLOCK',
  instead: 'constants.O_WRONLY',
} as const
