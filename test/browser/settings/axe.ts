import { expect } from 'bun:test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Visitor } from './visitor.ts'

/** The checker is there before the page's own policy, which lets no script in. */
export async function prepare(visitor: Visitor): Promise<void> {
  await visitor.page.addInitScript({ content: axe.source })
  await visitor.page.emulateMedia({ reducedMotion: 'reduce' })
}

const desktop = { width: 1280, height: 900 }
const phone = { width: 360, height: 800 }

export const colours: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** What is on the screen now, in both themes, wide and narrow. The theme changes colours and nothing else. */
export async function expectNoViolations(visitor: Visitor, what: string): Promise<void> {
  const { page } = visitor
  const isDialog = (await page.getByRole('dialog').count()) > 0
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'light' })
  const found = await check(visitor, `${what}, light`, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await check(visitor, `${what}, dark`, colours, isDialog)))
  await page.setViewportSize(phone)
  found.push(...(await check(visitor, `${what}, dark, on a phone`, {}, isDialog)))
  await page.setViewportSize(desktop)
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
