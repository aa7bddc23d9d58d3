/** Static checks: format, lint, types, dead code. */
export const staticChecks: readonly (readonly string[])[] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'src/web'],
  ['knip'],
]

type Variables = Readonly<Record<string, string | undefined>>

interface Ended {
  readonly exitCode: number
  readonly printed: string
}

/** Runs commands in parallel. 0 if all of them succeed. */
export const runTogether = (commands: readonly (readonly string[])[]): Promise<number> =>
  printEach(commands.map((command) => runQuietly(command)))

/** Prints the output of each, in order. 0 if all of them succeed. */
export async function printEach(runs: readonly Promise<Ended>[]): Promise<number> {
  const exitCodes = []
  for (const one of runs) {
    const { exitCode, printed } = await one
    console.log(printed)
    exitCodes.push(exitCode)
  }
  return Math.max(...exitCodes)
}

export async function runQuietly(command: readonly string[], env: Variables = process.env): Promise<Ended> {
  const child = Bun.spawn([...command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { exitCode, printed: `\n> ${command.join(' ')}\n${out}${err}` }
}

export function run(command: readonly string[], env: Variables = process.env): Promise<number> {
  console.log(`\n> ${command.join(' ')}`)
  return Bun.spawn([...command], { env, stdio: ['ignore', 'inherit', 'inherit'] }).exited
}
