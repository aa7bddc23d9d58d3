// Installs missing dependencies, so that `npm start` and `npm test` work on a fresh clone. Plain Node, because Bun may not be installed yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.lock-sha256`
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')

if (readIfThere(stamp) !== wanted) {
  console.error('Installing dependencies (once; about half a minute) …')
  // Not "npm ci": it refuses a lock file without the optional packages of other platforms, which npm itself omits.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

// If npm does not run install scripts, Bun's binary is only a small stub.
if (statSync(`${root}node_modules/bun/bin/bun.exe`).size < 1_000_000)
  run(process.execPath, ['node_modules/bun/install.js'])

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  console.error(
    `${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}. Check the network and try again.`,
  )
  process.exit(1)
}
