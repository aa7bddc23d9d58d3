import { processWord } from './process-word.ts'

const args = process.argv.slice(2)
const [word] = args
// Dynamic imports, so that child processes start within milliseconds.
if (word === processWord.engine) (await import('./store/sqlite/engine-process.ts')).runEngineProcess()
else if (word === processWord.worker) (await import('./cli/run-worker.ts')).runWorker()
else {
  const { runCommand } = await import('./cli/index.ts')
  process.exitCode = await runCommand(args, {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    // The start of the process, not of this line.
    startedAt: performance.now() - process.uptime() * 1000,
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  })
}
