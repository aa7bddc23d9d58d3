import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { Site } from '../browser/settings/support.ts'
import { textOf, type Visitor } from '../browser/settings/visitor.ts'
import { engines, type Place } from '../support/engines.ts'
import { preload } from './with-task.ts'

for (const engine of engines) {
  describe(`the page of a new resource (${engine.name})`, () => {
    let place: Place
    let site: Site
    let ada: Visitor
    let rival: Visitor

    beforeAll(async () => {
      place = await engine.makePlace()
      site = await Site.open({ DATABASE_URL: place.url, SIGNUP: 'open', ...preload })
      ada = await site.owner()
      rival = await site.owner('Bob Rival', 'Rival')
      const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })
      for (const project_name of ['Steel deck', 'Approach road'])
        await ada.must('POST', '/api/rest/project', { bid_id, project_name })
    }, 300_000)

    afterAll(async () => {
      await site?.close()
      await place?.remove()
    })

    const stored = async (name: string) => (await ada.must('GET', `/api/rest/task?task_name=eq.${name}`))[0]

    test('is in the navigation, and says where its rows come from', async () => {
      await ada.go('/', 'Overview')
      await ada.follow('Tasks', 'Tasks')
      expect(ada.place).toBe('/tasks')
      expect(await ada.page.title()).toBe('Tasks · Project API')
      await ada.sees('No tasks yet')
      await ada.sees('A task belongs to a project. Create one here, or let an application create it through the API.')
    }, 300_000)

    test('creates a row with a field for every type, the defaults filled in', async () => {
      await ada.press('New task')
      const dialog = await ada.dialog('New task')
      await choose(dialog, 'Project', 'Steel deck')
      expect([await ada.field('State').inputValue(), await ada.field('Cost').inputValue()]).toEqual(['open', '0'])
      await ada.fill({ Name: 'Weld the rails', Note: 'Two lines:\nall of it', Due: '2026-12-24T10:30' })
      await ada.fill({ 'Due on': '2026-12-24', Hours: '7', Cost: '12345678901234567.50', Share: '1e-3' })
      await choose(dialog, 'Urgent', 'Yes')
      await dialog.getByRole('combobox', { name: 'Tags' }).fill('steel')
      await ada.page.keyboard.press('Enter')
      await ada.page.keyboard.type('on site')
      await ada.press('Create task')
      await ada.noDialog()
      const row = await textOf(ada.row('Weld the rails'))
      for (const text of ['Steel deck', 'all of it', 'open', 'Dec 24, 2026, 10:30', 'Yes', 'on site'])
        expect(row).toContain(text)
      expect(row).toContain('12,345,678,901,234,567.50')
      const { due_at, cost, ...made } = await stored('Weld the rails')
      expect(made).toMatchObject({ note: 'Two lines:\nall of it', state: 'open', due_on: '2026-12-24', hours: 7 })
      expect(made).toMatchObject({ share: 0.001, is_urgent: true, tags: ['steel', 'on site'] })
      expect(Date.parse(due_at)).toBe(Number(await ada.page.evaluate("new Date('2026-12-24T10:30').getTime()")))
    }, 300_000)

    test('changes what was changed, and nothing else', async () => {
      const due_at = '2026-12-24T10:30:15.123+00:00'
      await ada.must('PATCH', '/api/rest/task?task_name=eq.Weld the rails', { due_at, due_on: 'infinity' })
      const before = await stored('Weld the rails')
      await ada.go('/tasks', 'Tasks')
      await ada.act('Weld the rails', 'Edit')
      await ada.dialog('Edit Weld the rails')
      await ada.fill({ Note: '', Hours: '' })
      await ada.press('Save')
      await ada.noDialog()
      const { updated_at, ...after } = await stored('Weld the rails')
      expect({ ...after, updated_at: before.updated_at }).toEqual({ ...before, note: null, hours: null })
      expect(await textOf(ada.row('Weld the rails'))).toContain('12,345,678,901,234,567.50')
    }, 300_000)

    test('sorts by every type that has an order', async () => {
      const headers = await ada.page
        .getByRole('columnheader')
        .filter({ has: ada.page.getByRole('button') })
        .allTextContents()
      const labels = headers.map((text) => text.replace(/ .$/, ''))
      expect(labels.slice(0, 9)).toEqual(['Name', 'Note', 'State', 'Due', 'Due on', 'Hours', 'Cost', 'Share', 'Urgent'])
      for (const label of labels) {
        const header = ada.page.getByRole('columnheader', { name: label, exact: true })
        await header.getByRole('button').click()
        await ada.until(
          `document.querySelector('th[aria-sort]:not([aria-sort=none])')?.textContent.startsWith(${JSON.stringify(label)})`,
        )
        await ada.row('Weld the rails').waitFor()
      }
      expect(await ada.page.getByText('Could not load').count()).toBe(0)
    }, 300_000)

    test('shows what the API refuses, and keeps what was entered', async () => {
      await ada.act('Weld the rails', 'Edit')
      const dialog = await ada.dialog('Edit Weld the rails')
      await ada.fill({ State: '  ' })
      await ada.press('Save')
      await dialog.getByText(/^State must have /).waitFor()
      await ada.fill({ State: 'done' })
      await ada.press('Save')
      await ada.noDialog()
      expect(await textOf(ada.row('Weld the rails'))).toContain('done')
    }, 300_000)

    test('finds a row by any of its texts, however they are written', async () => {
      const [{ id: project_id }] = await ada.must('GET', '/api/rest/project?project_name=eq.Approach road')
      const note = String.raw`50% of "it", (a\b)`
      await ada.must('POST', '/api/rest/task', { project_id, task_name: 'Paint', note })
      await ada.go('/tasks', 'Tasks')
      const search = ada.page.getByRole('searchbox', { name: 'Search tasks by name, note or state' })
      for (const [text, name] of [
        [note, 'Paint'],
        ['DONE', 'Weld the rails'],
        ['rails', 'Weld the rails'],
      ] as const) {
        await search.fill(text)
        await ada.sees(`1 task with “${text}” in the name, note or state`)
        expect(await ada.page.getByRole('rowheader').allTextContents()).toEqual([name])
      }
      await search.fill('nowhere')
      await ada.sees('No task has “nowhere” in its name, note or state.')
      await ada.follow('Tasks', 'Tasks')
      await ada.sees('2 tasks')
      expect(await search.inputValue()).toBe('')
    }, 300_000)

    test('leads to what a row belongs to, and from there to all that belong to it', async () => {
      await ada.go('/tasks', 'Tasks')
      await ada.row('Paint').getByRole('link', { name: 'Approach road' }).click()
      await ada.reaches('Projects')
      const panel = await ada.dialog('Approach road')
      await panel.getByRole('link', { name: 'Tasks of Approach road: 1' }).click()
      await ada.reaches('Tasks')
      await ada.sees('1 task of the project “Approach road”')
      await ada.press('New task')
      const dialog = await ada.dialog('New task')
      await ada.until(`document.querySelector('[role=dialog] [role=combobox]')?.value === 'Approach road'`)
      expect(await dialog.getByRole('combobox', { name: 'Project' }).inputValue()).toBe('Approach road')
      await ada.press('Cancel')
      await ada.noDialog()
      await ada.press('Show all tasks')
      await ada.sees('2 tasks')
    }, 300_000)

    test('says what still belongs to a row that cannot be deleted', async () => {
      await ada.follow('Projects', 'Projects')
      await ada.act('Steel deck', 'Delete')
      const dialog = await ada.dialog('Delete Steel deck?')
      await dialog.getByText('A project can be deleted once no task belongs to it.').waitFor()
      await dialog.getByRole('link', { name: '1 task', exact: true }).waitFor()
      expect(await dialog.getByRole('button', { name: 'Delete project' }).isDisabled()).toBe(true)
      await ada.press('Cancel')
    }, 300_000)

    test('deletes a row', async () => {
      await ada.go('/tasks', 'Tasks')
      await ada.act('Paint', 'Delete')
      await ada.press('Delete task')
      await ada.row('Paint').waitFor({ state: 'detached' })
      expect(await stored('Paint')).toBeUndefined()
    }, 300_000)

    test('is counted on the overview', async () => {
      await ada.go('/', 'Overview')
      expect(await countOn(ada)).toBe('Tasks1')
    }, 300_000)

    test('fits a phone', async () => {
      await ada.go('/tasks', 'Tasks')
      await ada.row('Weld the rails').waitFor()
      await ada.fits(320)
      await ada.act('Weld the rails', 'Edit')
      await ada.dialog('Edit Weld the rails')
      await ada.fits(320)
      await ada.press('Cancel')
    }, 300_000)

    test('shows a person of another company nothing of it', async () => {
      await rival.go('/', 'Overview')
      expect(await countOn(rival)).toBe('Tasks0')
      await rival.follow('Tasks', 'Tasks')
      await rival.sees('No tasks yet')
      const [{ id }] = await ada.must('GET', '/api/rest/project?project_name=eq.Steel deck')
      await rival.go(`/tasks?project_id=${id}`, 'Tasks')
      await rival.sees('No task belongs to this project.')
      await rival.press('New task')
      const dialog = await rival.dialog('New task')
      await dialog.getByRole('combobox', { name: 'Project' }).fill('steel')
      await rival.sees('No project has this in its name.')
      expect(await rival.page.content()).not.toContain('Steel deck')
    }, 300_000)

    test('was quiet, and asked nobody else', () => {
      expect(site.noise).toEqual([])
    })
  })
}

/** Chooses an option of a field. */
async function choose(dialog: Locator, field: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: field }).click()
  await dialog.page().getByRole('option', { name: option }).click()
}

/** What the overview says of tasks. */
const countOn = ({ page }: Visitor): Promise<string> =>
  textOf(page.locator('.counts > *').filter({ has: page.getByRole('link', { name: 'Tasks' }) }))
