import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './debian.ts'

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
  const purpose = `The tests in a browser need one of ${names.join(', ')} on the PATH`
  return chromium.launch({ executablePath: findProgram(installed, 'chromium', purpose), args: flags })
}

function installed(): string | null {
  if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium'
  return names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null
}
