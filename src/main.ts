import { runCommand } from './cli/index.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  // The process may have been up for a moment before this line.
  startedAt: performance.now() - process.uptime() * 1000,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
})
