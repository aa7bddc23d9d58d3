import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './debian.ts'
import { programs } from './programs.ts'

const isRoot = process.getuid?.() === 0

const flags = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages live too briefly for it to pay.
  '--js-flags=--no-opt --no-maglev',
  // Chromium refuses its sandbox to root.
  ...(isRoot ? ['--no-sandbox'] : []),
]

/** The system's Chromium, with nothing of a person's profile in it. How long it may take to start is up to the test. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram(programs.browser), args: flags, timeout: 0 })
}
