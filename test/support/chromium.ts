import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './debian.ts'

/** The first of them is Chromium without what only a window needs, and takes a fifth less of the processor. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'] as const
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
  const purpose = `The tests in a browser need one of ${names.join(', ')} on the PATH`
  return chromium.launch({ executablePath: findProgram(installed, names[0], purpose), args: flags, timeout: 0 })
}

const installed = (): string | null => names.map((name) => Bun.which(name)).find((path) => path !== null) ?? null
