import type { Subprocess } from 'bun'

/** Static checks: format, lint, types, dead code. */
export const staticChecks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'src/web'],
  ['knip'],
]

export type Variables = Readonly<Record<string, string | undefined>>

interface Ended {
  readonly command: string
  readonly exitCode: number
  readonly printed: string
  /** Of the processor, by the command and the programs it started. */
  readonly seconds: number
}

/** Runs commands in parallel. 0 if all of them succeed. */
export async function runTogether(commands: readonly (readonly string[])[]): Promise<number> {
  return exitCodeOf(await runInTurn(commands, commands.length))
}

/** Runs all commands, in their order and so many at once. The output of each is printed when it has ended. */
export async function runInTurn(
  commands: readonly (readonly string[])[],
  atOnce: number,
  env: Variables = process.env,
): Promise<readonly Ended[]> {
  const ended: Ended[] = []
  const left = commands.values()
  const takeTurns = async (): Promise<void> => {
    for (const command of left) {
      const one = await runQuietly(command, env)
      console.log(`\n> ${one.command}\n${one.printed}(${one.seconds.toFixed(1)} s of processor time)`)
      ended.push(one)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
  return ended
}

/** 0 if all of them succeeded. */
export const exitCodeOf = (ended: readonly Ended[]): number => Math.max(...ended.map(({ exitCode }) => exitCode))

async function runQuietly(command: readonly string[], env: Variables = process.env): Promise<Ended> {
  const child = Bun.spawn([...command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { command: command.join(' '), exitCode, printed: `${out}${err}`, seconds: secondsOf(child) }
}

const secondsOf = (child: Subprocess): number => Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6

/** Prints the output as it comes. */
export async function run(command: readonly string[], env: Variables = process.env): Promise<Ended> {
  console.log(`\n> ${command.join(' ')}`)
  const child = Bun.spawn([...command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, exitCode] = await Promise.all([show(child.stdout), show(child.stderr), child.exited])
  return { command: command.join(' '), exitCode, printed: `${out}${err}`, seconds: secondsOf(child) }
}

async function show(stream: ReadableStream<Uint8Array>): Promise<string> {
  const parts = []
  for await (const part of stream) {
    process.stdout.write(part)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Of what a failed command printed, more than this is left to the whole output. */
const failureLinesMax = 60

/** The last lines of a long output: which commands failed, and what they printed but for what passed. Nothing if none did. */
export function printFailures(ended: readonly Ended[]): void {
  for (const { command, exitCode, printed } of ended.filter((one) => one.exitCode !== 0)) {
    const lines = printed.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('(pass)'))
    const tests = new Set(lines.filter((line) => line.startsWith('(fail)')))
    const first = lines.findIndex((line) => /^\(fail\)|^# Unhandled|error: /.test(line))
    const shown = lines.slice(Math.max(0, first - 20)).slice(0, failureLinesMax)
    console.log([`\n> ${command}: failed with exit code ${exitCode}`, ...shown, ...tests].join('\n'))
  }
}
