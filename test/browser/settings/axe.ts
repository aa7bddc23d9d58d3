import { expect } from 'bun:test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Visitor } from './visitor.ts'

/** The checker is there before the page's own policy, which lets no script in. */
export async function prepare(visitor: Visitor): Promise<void> {
  await visitor.page.addInitScript({ content: axe.source })
  await visitor.page.emulateMedia({ reducedMotion: 'reduce' })
}

const screens = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 360, height: 800 },
] as const

export const colours: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** What is on the screen now, wide and narrow, in both themes. */
export async function expectNoViolations(visitor: Visitor, what: string): Promise<void> {
  const found: string[] = []
  const isDialog = (await visitor.page.getByRole('dialog').count()) > 0
  for (const { name, ...size } of screens) {
    await visitor.page.setViewportSize(size)
    await visitor.page.emulateMedia({ colorScheme: 'light' })
    found.push(...(await check(visitor, `${what}, ${name}, light`, {}, isDialog && name === 'phone')))
    await visitor.page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await check(visitor, `${what}, ${name}, dark`, {}, isDialog)))
  }
  await visitor.page.setViewportSize(screens[0])
  expect(found).toEqual([])
}

/** The page behind a dialog has been checked by itself. */
export async function check(
  { page }: Visitor,
  what: string,
  options: RunOptions,
  dialogOnly = false,
): Promise<string[]> {
  const context = JSON.stringify(dialogOnly ? ['[role=dialog]'] : ['html'])
  const all = JSON.stringify({ resultTypes: ['violations'], preload: false, iframes: false, ...options })
  const { violations }: AxeResults = await page.evaluate(`axe.run(${context}, ${all})`)
  return violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes[0]?.html}`)
}
