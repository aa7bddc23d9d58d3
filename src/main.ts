import { runCommand } from './cli/index.ts'
import { runWorker, workerWord } from './cli/run-worker.ts'

const args = process.argv.slice(2)
if (args[0] === workerWord) runWorker()
else
  process.exitCode = await runCommand(args, {
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    // The process may have been up for a moment before this line.
    startedAt: performance.now() - process.uptime() * 1000,
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  })
