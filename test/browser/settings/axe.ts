import { expect } from 'bun:test'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Visitor } from './visitor.ts'

const desktop = { width: 1280, height: 900 }
const phone = { width: 360, height: 800 }

export const colours: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** What is on the screen now, in both themes, wide and narrow. The theme changes colours and nothing else. */
export async function expectNoViolations(visitor: Visitor, what: string): Promise<void> {
  const { page } = visitor
  // What is behind a dialog is checked once.
  const within = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'html'
  await page.setViewportSize(desktop)
  await showTheme(visitor, 'light')
  const found = await violations(visitor, `${what}, light`)
  await showTheme(visitor, 'dark')
  found.push(...(await violations(visitor, `${what}, dark`, colours, within)))
  await page.setViewportSize(phone)
  found.push(...(await violations(visitor, `${what}, dark, on a phone`, {}, within)))
  await page.setViewportSize(desktop)
  expect(found).toEqual([])
}

/** The theme follows the system, a moment later. */
export async function showTheme(visitor: Visitor, colorScheme: 'light' | 'dark'): Promise<void> {
  await visitor.page.emulateMedia({ colorScheme })
  await visitor.until(`document.documentElement.dataset.mantineColorScheme === '${colorScheme}'`)
}

export async function violations(
  { page }: Visitor,
  what: string,
  options: RunOptions = {},
  within = 'html',
): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source)
  const all = JSON.stringify({ resultTypes: ['violations'], preload: false, iframes: false, ...options })
  const found: AxeResults = await page.evaluate(`axe.run('${within}', ${all})`)
  return found.violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes[0]?.html}`)
}
