// Installs missing dependencies, so that `npm start` and `npm test` work on a fresh clone. Plain Node, because Bun may not be installed yet.
// `node scripts/ready.js production` leaves out the packages for development, unless they are already installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (path) => join(root, path)
const isWindows = process.platform === 'win32'

const stamp = inRoot('node_modules/.lock-sha256')
const wanted = createHash('sha256')
  .update(readFileSync(inRoot('package-lock.json')))
  .digest('hex')
const { devDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
const hasAll = Object.keys(devDependencies).every((name) => existsSync(inRoot(`node_modules/${name}`)))
const isProduction = process.argv[2] === 'production'

if (readIfThere(stamp) !== wanted || !(isProduction || hasAll)) install(isProduction && !hasAll)

// The scripts `start` and `cli` use `exec`, so that signals reach the service. The shell of Windows has no such command.
if (isWindows) writeFileSync(inRoot('node_modules/.bin/exec.cmd'), '@%*\r\n')

// If npm does not run install scripts, Bun's binary is only a small stub.
if (statSync(inRoot('node_modules/bun/bin/bun.exe')).size < 1_000_000)
  run(process.execPath, ['node_modules/bun/install.js'])

function install(omitsDevelopment) {
  console.error(`Installing dependencies (once; about ${omitsDevelopment ? 'half a minute' : 'a minute'}) …`)
  // An interrupted installation must not look complete.
  rmSync(stamp, { force: true })
  const which = omitsDevelopment ? '--omit=dev' : '--include=dev'
  // Not "npm ci": it refuses a lock file without the optional packages of other platforms, which npm itself omits.
  runNpm(['install', which, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Windows cannot start `npm.cmd` without a shell, so npm's own program is started if its path is known. */
function runNpm(args) {
  const program = process.env.npm_execpath ?? ''
  if (program.endsWith('npm-cli.js')) run(process.execPath, [program, ...args])
  else run('npm', args, { shell: isWindows })
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  if (status === 0) return
  console.error(
    `${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}. Check the network and try again.`,
  )
  process.exit(1)
}
