import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome'] as const
const isRoot = process.getuid?.() === 0

const flags = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium refuses its sandbox to root.
  ...(isRoot ? ['--no-sandbox'] : []),
]

/** The system's Chromium, with nothing of a person's profile in it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: flags })
}

function findChromium(): string {
  const found = installed() ?? (isRoot && existsSync('/etc/debian_version') ? install() : null)
  if (found) return found
  throw new Error(
    `The tests in a browser need one of ${names.join(', ')} on the PATH. On Debian: apt-get install chromium`,
  )
}

function installed(): string | null {
  if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  return names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null
}

function install(): string | null {
  console.error('Installing chromium (once; about a minute) …')
  for (const command of ['update', 'install -y chromium']) {
    const { status, stderr } = spawnSync('apt-get', command.split(' '), {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) throw new Error(`apt-get ${command} failed: ${stderr}`)
  }
  return installed()
}
