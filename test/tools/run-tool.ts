import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the generators write. */
export const generated = join(import.meta.dir, 'generated')
mkdirSync(generated, { recursive: true })

/** Some tools need a newer Node than the service does: Bun runs those. */
type Runtime = 'bun' | 'node'

/** A command of a package that is installed in this folder. */
export const toolCommand = (name: string, runtime: Runtime): string[] => [
  runtime === 'bun' ? process.execPath : 'node',
  join(import.meta.dir, 'node_modules/.bin', name),
]

/** Runs one to its end. It must succeed; what it has printed. */
export const runTool = (name: string, args: readonly string[], runtime: Runtime = 'node'): Promise<string> =>
  runCommand([...toolCommand(name, runtime), ...args])

export async function runCommand(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: import.meta.dir,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with exit code ${exitCode}:\n${out}${err}`)
  return `${out}${err}`
}

/** Writes a document for tools to read; its path. */
export async function writeDocument(name: string, text: string): Promise<string> {
  const path = join(generated, name)
  await Bun.write(path, text)
  return path
}
