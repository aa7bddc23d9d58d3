import { runCommand } from '../../src/cli/index.ts'
import { type Environment, runCli } from './service.ts'
import { type Ended, untilConnectedCommand } from './until-connected.ts'

/** Runs a command in this process: the same as in one of its own, and ten times as fast. */
export const runHere = (args: readonly string[], env: Environment): Promise<Ended> =>
  untilConnectedCommand(() => runOnce(args, env))

async function runOnce(args: readonly string[], env: Environment): Promise<Ended> {
  const printed: string[] = []
  const errors: string[] = []
  const exitCode = await runCommand(args, {
    env,
    isTerminal: false,
    startedAt: performance.now(),
    print: (text) => printed.push(`${text}\n`),
    printError: (text) => errors.push(`${text}\n`),
  })
  return { exitCode, stdout: printed.join(''), stderr: errors.join('') }
}

/** The same, but in a process of its own where an executable is tested. */
export const runProgram: typeof runHere = process.env.EXECUTABLE ? runCli : runHere
