import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import type { Visitor } from './visitor.ts'

let site: Site
let ada: Visitor

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
}, 300_000)

afterAll(async () => {
  const noise = site?.noise
  await site?.close()
  expect(noise).toEqual([])
})

const fields = (): Promise<{ name: string; label: string; transitions: unknown }[]> => ada.must('GET', '/api/fields')
const listed = () => ada.page.getByRole('list', { name: 'Fields of projects' }).locator('.strong').allTextContents()

test('a field is added with its choices and states, and the same as a command', async () => {
  await ada.go('/fields', 'Fields')
  await ada.press('Status of projects')
  await ada.dialog('New field')
  await ada.press('Add a choice')
  await ada.fill({ 'Label of choice 5': 'On hold' })
  await ada.page.getByRole('combobox', { name: 'On hold can become' }).click()
  await ada.page.getByRole('listbox').getByRole('option', { name: 'Active' }).click()
  await ada.page.getByRole('img', { name: /On hold can become Active\./ }).waitFor()
  await expectNoViolations(ada, 'a field with states')
  await ada.press('Create field')
  await ada.noDialog()
  expect(await fields()).toMatchObject([
    { name: 'status', transitions: { lead: ['active', 'lost'], active: ['done', 'lost'], on_hold: ['active'] } },
  ])
  await ada.press('API calls of Status')
  await ada.dialog('API calls of Status')
  await ada.page.getByRole('tab', { name: 'Command line' }).click()
  await ada.sees("--transitions 'lead>active,lead>lost,active>done,active>lost,on_hold>active'")
  await ada.press('Close')
  await ada.noDialog()
  await ada.press('Edit Status')
  await ada.field('A new row is').selectOption('Without a value')
  await ada.press('Save')
  await ada.sees('Choose what a new row is.')
  await ada.press('Cancel')
  await ada.noDialog()
}, 300_000)

test('what is wrong is said at its place', async () => {
  await ada.press('New field')
  await ada.dialog('New field')
  const indexed = ada.page.getByRole('checkbox', { name: 'Indexed' })
  await indexed.check()
  await ada.field('Type').selectOption('Several choices')
  await ada.sees('A field of several choices cannot be indexed.')
  expect([await indexed.isDisabled(), await indexed.isChecked()]).toEqual([true, false])
  await ada.field('Type').selectOption('Text')
  await ada.fill({ Label: 'Created at' })
  await ada.press('Create field')
  await ada.sees('A field cannot be called "created_at". The name is reserved for built-in columns.')
  await soon(async () => expect(await ada.page.evaluate('document.activeElement.value')).toBe('created_at'))
  await ada.fill({ Label: 'Site', 'Name in the API': 'site' })
  await ada.press('Create field')
  await ada.noDialog()
}, 300_000)

test('fields are moved by keyboard and by dragging', async () => {
  await soon(async () => expect(await listed()).toEqual(['Status', 'Site']))
  await ada.button(/^Move Site/).press('ArrowUp')
  await ada.button('Move Site, 1 of 2, by the arrow keys').waitFor()
  await ada.page.getByText('Site: 1 of 2').waitFor({ state: 'attached' })
  await ada.button(/^Move Site/).hover()
  await ada.page.mouse.down()
  await ada.button('Edit Status').hover()
  await ada.page.locator('[data-over]').waitFor()
  await ada.page.mouse.up()
  await ada.button('Move Site, 2 of 2, by the arrow keys').waitFor()
  await soon(async () => expect((await fields()).map(({ name }) => name)).toEqual(['status', 'site']))
}, 300_000)

test('a field is archived, and restored', async () => {
  await ada.press('Archive Site')
  await ada.press('Archive field')
  await ada.button('Restore Site').waitFor()
  await ada.told('Site is archived.')
  await soon(async () => expect(await listed()).toEqual(['Status']))
  await ada.fits(390)
  await ada.fits(1280)
  await ada.sees(/Deleted on \w{3} \d+, \d{4}\./)
  await ada.press('Restore Site')
  await ada.told('Site is restored.')
  await ada.until("document.activeElement.matches('li') && document.activeElement.textContent.includes('Site')")
  await ada.page.getByText('Site is archived.').waitFor({ state: 'detached' })
  await ada.button('Edit Site').waitFor()
  await soon(async () => expect(await listed()).toEqual(['Status', 'Site']))
}, 300_000)

test('those who are not owners look at the fields, and read why they cannot change them', async () => {
  const viewer = await site.member(ada, 'Vera', 'viewer')
  await viewer.go('/fields', 'Fields')
  await viewer.button('Edit Status').waitFor()
  await soon(async () => expect(await viewer.button('Edit Status').getAttribute('aria-disabled')).toBe('true'))
  await soon(async () => expect(await viewer.button(/^Move/).count()).toBe(0))
}, 300_000)

test('a field that is opened and saved stays as it is', async () => {
  const choices = ['lead', { value: 'won', label: 'Won', color: 'green' }, { value: 'old', closed: true }]
  const definitions: readonly object[] = [
    { type: 'text', rules: { min_length: 2, max_length: 20 }, default_value: 'none', required: true },
    { type: 'integer', rules: { minimum: 1, maximum: 10 }, default_value: 3 },
    { type: 'decimal', rules: { scale: 3, minimum: 0 } },
    { type: 'boolean', default_value: false },
    { type: 'date', rules: { minimum: '2026-01-01' }, default_value: '2026-01-31' },
    { type: 'choice', choices, default_value: 'won' },
    { type: 'choice', choices, initial: 'lead', transitions: { lead: ['won'], won: [] } },
    { type: 'choice', choices, initial: 'lead', start: 'any' },
    { type: 'choices', choices, rules: { min_choices: 1, max_choices: 2 }, default_value: ['won'] },
  ]
  for (const [at, definition] of definitions.entries())
    await ada.must('POST', '/api/fields', { resource: 'bid', name: `field_${at}`, ...definition })
  const before = await fields()
  await ada.go('/fields', 'Fields')
  for (const at of definitions.keys()) {
    await ada.press(`Edit Field ${at}`)
    await ada.dialog(`Edit Field ${at}`)
    await ada.press('Save')
    await ada.noDialog()
  }
  expect(await fields()).toEqual(before)
}, 300_000)

test('quick presses of an arrow key all count, and the focus stays on what is moved', async () => {
  // The server answers only after the next press.
  let answer = () => {}
  const pressed = new Promise<void>((resolve) => {
    answer = resolve
  })
  await ada.page.route('**/fields/order', async (route) => {
    await pressed
    await route.continue()
  })
  await ada.button(/^Move Field 8/).focus()
  for (const at of [8, 7, 6]) {
    const read = at === 7 ? ada.page.waitForResponse((response) => response.url().endsWith('/fields')) : null
    await ada.page.keyboard.press('ArrowUp')
    await ada.button(`Move Field 8, ${at} of 9, by the arrow keys`).waitFor()
    if (at === 8) answer()
    await read
  }
  await ada.page.unroute('**/fields/order')
  const order = [0, 1, 2, 3, 4, 8, 5, 6, 7].map((at) => `field_${at}`)
  const kept = async () => (await fields()).map(({ name }) => name).filter((name) => name.startsWith('field_'))
  await soon(async () => expect(await kept()).toEqual(order))
  await ada.page.reload()
  await ada.button('Move Field 8, 6 of 9, by the arrow keys').waitFor()
}, 300_000)

test('what is moved is not drawn once more where it was, and keeps the focus', async () => {
  await ada.button(/^Move Field 8/).focus()
  // A busy browser is late with its timers.
  await ada.page.evaluate(`{
    const start = setTimeout
    globalThis.setTimeout = (then, ms, ...rest) => start(then, ms + 50, ...rest)
    const handle = document.activeElement
    globalThis.places = []
    const look = () => {
      const place = handle.textContent + (document.activeElement === handle ? '' : ' It has lost the focus.')
      if (places.at(-1) !== place) places.push(place)
    }
    new MutationObserver(look).observe(handle.closest('ol'), { subtree: true, childList: true, characterData: true })
  }`)
  const at = (place: number) => `Move Field 8, ${place} of 9, by the arrow keys`
  for (const place of [5, 4, 3]) {
    const read = ada.page.waitForResponse((response) => response.url().endsWith('/fields'))
    await ada.page.keyboard.press('ArrowUp')
    await read
    await ada.page.waitForTimeout(200)
    await ada.button(at(place)).waitFor()
  }
  expect(await ada.page.evaluate('places')).toEqual([at(5), at(4), at(3)])
}, 300_000)
