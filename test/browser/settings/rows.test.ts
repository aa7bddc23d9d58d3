import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { type Keys, textOf, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let keys: Required<Keys>

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.keepUndo()
  keys = await ada.must('POST', '/api/credentials', { name: 'Seed', access: 'read-write', expires_at: null })
}, 300_000)

afterAll(() => site?.close())

test('an empty page says where to begin', async () => {
  await ada.go('/projects', 'Projects')
  await ada.sees('No projects yet')
  await createWithFirstBid()
  await ada.follow('Bids', 'Bids')
  await ada.sees('Every project belongs to a bid, so this is where to begin.')
}, 300_000)

/** Both in one go, and then neither: what follows begins with an empty company. */
async function createWithFirstBid(): Promise<void> {
  await ada.press('New project')
  const dialog = await ada.dialog('New project')
  await ada.until(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent) === 'Name'",
  )
  await ada.fill({ Name: 'First' })
  // A click beside the dialog loses nothing.
  await ada.page.mouse.click(5, 450)
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('First'))
  await ada.press('Create the first bid')
  const inner = await ada.dialog('New bid')
  await inner.getByRole('textbox', { name: 'Name' }).fill('   ')
  await inner.getByRole('button', { name: 'Create bid' }).click()
  // What is wrong is said at the field, which has the focus.
  await inner.getByText('Name must have 1 to 255 characters that are not all blank.').waitFor()
  await ada.until("document.activeElement.getAttribute('aria-invalid') === 'true'")
  await inner.getByRole('textbox', { name: 'Name' }).fill('Its bid')
  await inner.getByRole('button', { name: 'Create bid' }).dblclick()
  await inner.waitFor({ state: 'detached' })
  await ada.until("document.querySelector('[role=combobox], input[aria-haspopup]')?.value === 'Its bid'")
  // Only the uppermost dialog closes by the key, and the second click does not reach the one below.
  await soon(async () => expect(await dialog.count()).toBe(1))
  await ada.button('Create project').dblclick()
  await ada.noDialog()
  const projects = await ada.must('GET', '/api/rest/project?select=project_name,bid(bid_name)')
  expect(projects).toEqual([{ project_name: 'First', bid: { bid_name: 'Its bid' } }])
  expect(await ada.must('GET', '/api/rest/bid?select=bid_name')).toEqual([{ bid_name: 'Its bid' }])
  await ada.must('DELETE', '/api/rest/project?project_name=eq.First')
  await ada.must('DELETE', '/api/rest/bid?bid_name=eq.Its bid')
}

test('a bid is made, changed and deleted', async () => {
  await ada.press('New bid')
  await ada.dialog('New bid')
  await ada.fill({ Name: 'Harbor bridge' })
  await ada.press('Create bid')
  await ada.noDialog()
  await ada.act('Harbor bridge', 'Edit')
  await ada.dialog('Edit Harbor bridge')
  await ada.fill({ Name: 'Harbour bridge' })
  await ada.press('Save')
  await ada.noDialog()
  await ada.row('Harbour bridge').waitFor()
  const { id: doomed } = await ada.must('POST', '/api/rest/bid', { bid_name: 'A mistake' })
  await ada.go('/bids', 'Bids')
  const remove = async () => {
    await ada.act('A mistake', 'Delete')
    await ada.dialog('Delete A mistake?')
    await ada.press('Delete bid')
    await ada.noDialog()
    await ada.row('A mistake').waitFor({ state: 'detached' })
  }
  await remove()
  await ada.press('Undo')
  await ada.row('A mistake').waitFor()
  expect(await ada.must('GET', `/api/rest/bid?id=eq.${doomed}&select=bid_name`)).toEqual([{ bid_name: 'A mistake' }])
  await remove()
  expect(await ada.must('GET', `/api/rest/bid?id=eq.${doomed}`)).toEqual([])
}, 300_000)

test('a project is made by choosing its bid, and is there for the API', async () => {
  await ada.follow('Projects', 'Projects')
  await ada.press('New project')
  const dialog = await ada.dialog('New project')
  await dialog.getByRole('combobox', { name: 'Bid' }).fill('harb')
  await ada.page.getByRole('option', { name: 'Harbour bridge' }).click()
  await ada.fill({ Name: 'Piles & “deck”' })
  await ada.press('Create project')
  await ada.noDialog()
  await soon(async () => expect(await textOf(ada.row('Piles & “deck”'))).toContain('Harbour bridge'))
  const { json } = await site.call(keys, 'GET', '/project?select=project_name,bid(bid_name)')
  expect(json).toEqual([{ project_name: 'Piles & “deck”', bid: { bid_name: 'Harbour bridge' } }])
}, 300_000)

test('a project is changed and deleted', async () => {
  await ada.act('Piles & “deck”', 'Edit')
  await ada.dialog('Edit Piles & “deck”')
  await ada.fill({ Name: 'Steel deck' })
  await ada.press('Save')
  await ada.noDialog()
  await ada.row('Steel deck').waitFor()
  await ada.act('Steel deck', 'Delete')
  await ada.dialog('Delete Steel deck?')
  await ada.press('Delete project')
  await ada.sees('No projects yet')
}, 300_000)

test('a hundred and twenty projects come in pages, and the place is in the address', async () => {
  const [{ id: bid_id }] = await ada.must('GET', '/api/rest/bid')
  const body = range(0, 120).map((project_name) => ({ bid_id, project_name }))
  expect((await site.call(keys, 'POST', '/project', { body })).status).toBe(201)
  await ada.go('/projects?order=project_name.asc', 'Projects')
  await ada.sees('120 projects')
  await soon(async () => expect(await names()).toEqual(range(0, 50)))
  await ada.press('Page 3')
  await ada.row('Lot 119').waitFor()
  await soon(async () => expect(await names()).toEqual(range(100, 120)))
  await soon(() => expect(ada.place).toBe('/projects?order=project_name.asc&page=3'))
  await ada.page.goBack()
  await ada.row('Lot 000').waitFor()
  await ada.page.setViewportSize({ width: 1280, height: 500 })
  await ada.press('Page 2')
  await ada.row('Lot 050').waitFor()
  const [header, first] = [ada.page.getByRole('banner'), ada.row('Lot 050')]
  const [above, below] = [(await header.boundingBox())?.height ?? 0, (await first.boundingBox())?.y ?? 0]
  expect([below > above, below < 400]).toEqual([true, true])
  await ada.page.setViewportSize({ width: 1280, height: 900 })
  await ada.page.goBack()
  await ada.row('Lot 000').waitFor()
  await ada.press('Go to the next page')
  await ada.row('Lot 050').waitFor()
  await ada.page.reload()
  await ada.row('Lot 050').waitFor()
  await soon(async () => expect(await names()).toEqual(range(50, 100)))
  // A page that is not there any more leads to the last one.
  await ada.go('/projects?order=project_name.asc&page=999', 'Projects')
  await ada.row('Lot 119').waitFor()
  await soon(() => expect(ada.place).toBe('/projects?order=project_name.asc&page=3'))
}, 300_000)

test('a click on a column sorts by it, both ways', async () => {
  await ada.go('/projects', 'Projects')
  const header = ada.page.getByRole('columnheader', { name: 'Name' })
  await header.getByRole('button').click()
  await ada.row('Lot 000').waitFor()
  await soon(async () => expect(await header.getAttribute('aria-sort')).toBe('ascending'))
  await header.getByRole('button').click()
  await ada.row('Lot 119').waitFor()
  await soon(async () => expect(await header.getAttribute('aria-sort')).toBe('descending'))
  await soon(async () => expect((await names())[0]).toBe('Lot 119'))
}, 300_000)

test('a search finds a part of the name in any case, and says so when there is none', async () => {
  const search = ada.page.getByRole('searchbox')
  await search.fill('OT 01')
  await ada.sees('10 projects with “OT 01” in the name')
  await soon(async () => expect(await names()).toEqual(range(10, 20).reverse()))
  await search.fill('100%')
  await ada.sees('No project has “100%” in its name.')
}, 300_000)

test('“show as API call” is a command that gives the rows of the page', async () => {
  await ada.go('/projects?q=lot 01&order=project_name.desc&page=1', 'Projects')
  await ada.row('Lot 019').waitFor()
  await ada.press('Show as API call')
  const rows = JSON.parse(await runShown(ada.page.locator('main')))
  expect(rows.map((row: { project_name: string }) => row.project_name)).toEqual(await names())
}, 300_000)

test('“show as API call” makes the row that the dialog would make', async () => {
  await ada.press('New project')
  const dialog = await ada.dialog('New project')
  await dialog.getByRole('combobox', { name: 'Bid' }).fill('harb')
  await ada.page.getByRole('option', { name: 'Harbour bridge' }).click()
  const name = `It's a "lot" for $1 \\ 2`
  await ada.fill({ Name: name })
  await dialog.getByRole('button', { name: 'Show as API call' }).click()
  expect(JSON.parse(await runShown(dialog)).project_name).toBe(name)
  await ada.press('Cancel')
  await ada.page.getByRole('searchbox').fill("It's")
  await ada.row(name).waitFor()
}, 300_000)

test('a bid with projects is not deleted, and the page says why', async () => {
  await ada.follow('Bids', 'Bids')
  await ada.act('Harbour bridge', 'Delete')
  const dialog = await ada.dialog('Delete Harbour bridge?')
  await soon(async () => expect(await ada.button('Delete bid').isDisabled()).toBe(true))
  await dialog.getByText('A bid can be deleted once no project belongs to it.').waitFor()
  await dialog.getByRole('link', { name: '121 projects' }).click()
  await ada.reaches('Projects')
  await ada.sees('121 projects of the bid “Harbour bridge”')
}, 300_000)

test('a bid that gets a project while the dialog is open is not deleted either', async () => {
  const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'Late' })
  await ada.go('/bids', 'Bids')
  await ada.act('Late', 'Delete')
  const dialog = await ada.dialog('Delete Late?')
  await ada.must('POST', '/api/rest/project', { bid_id, project_name: 'Just now' })
  await ada.press('Delete bid')
  await dialog.getByText('Projects belong to this bid. Delete them first, or give them another bid.').waitFor()
  await ada.must('DELETE', `/api/rest/project?bid_id=eq.${bid_id}`)
  await ada.must('DELETE', `/api/rest/bid?id=eq.${bid_id}`)
}, 300_000)

test('of several bids, those without projects are deleted, and the others listed', async () => {
  await ada.must('POST', '/api/rest/bid', [{ bid_name: 'Empty one' }, { bid_name: 'Empty two' }])
  await ada.go('/bids', 'Bids')
  const tick = (name: string) => ada.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await tick('Harbour bridge')
  await ada.press('Delete')
  await ada.dialog('Delete Harbour bridge?')
  await soon(async () => expect(await ada.button('Delete bid').isDisabled()).toBe(true))
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  for (const name of ['Empty one', 'Empty two']) await tick(name)
  await ada.press('Delete')
  const dialog = await ada.dialog('Delete 2 bids?')
  const staying = dialog.getByRole('region', { name: 'Not deleted' }).getByRole('listitem')
  await soon(async () => expect(await staying.allTextContents()).toEqual(['Harbour bridge: 121 projects']))
  await ada.press('Delete the 2 that have no projects')
  await ada.noDialog()
  await ada.row('Empty one').waitFor({ state: 'detached' })
  await soon(async () => expect(await ada.row('Harbour bridge').count()).toBe(1))
}, 300_000)

test('a bid and its projects lead to each other, and an older address still does', async () => {
  const [{ id }] = await ada.must('GET', '/api/rest/bid?select=id')
  await ada.go('/bids', 'Bids')
  await ada.page.getByRole('link', { name: 'Projects of Harbour bridge: 121' }).click()
  await ada.reaches('Projects')
  await soon(() => expect(ada.place).toBe(`/projects?where=bid_id.eq.${id}`))
  await ada.row('Lot 119').getByRole('link', { name: 'Harbour bridge' }).click()
  await ada.reaches('Bids')
  const panel = await ada.dialog('Harbour bridge')
  await panel.getByRole('link', { name: 'Projects of Harbour bridge: 121' }).waitFor()
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await ada.go(`/projects?bid_id=${id}`, 'Projects')
  await ada.sees('121 projects of the bid “Harbour bridge”')
  await ada.press('Show all projects')
  await ada.sees(/^121 projects$/)
}, 300_000)

test('filters narrow the table by any column, and are in the address', async () => {
  const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'جسر الميناء' })
  await ada.must('POST', '/api/rest/project', { bid_id, project_name: '駅前再開発' })
  const add = async (column: string, fill: () => Promise<unknown>) => {
    await ada.press('Filter')
    await ada.page.getByRole('combobox', { name: 'Column' }).selectOption(column)
    await fill()
    await ada.press('Add filter')
  }
  await ada.go('/projects', 'Projects')
  await add('Bid', async () => {
    await ada.page.getByRole('combobox', { name: 'Value' }).fill('الميناء')
    const options = ada.page.getByRole('listbox').getByRole('option')
    await soon(async () => expect(await options.allTextContents()).toEqual(['جسر الميناء']))
    await options.click()
  })
  await ada.sees('1 project of the bid “جسر الميناء”')
  await soon(async () => expect(await names()).toEqual(['駅前再開発']))
  await add('Created', () => ada.field('Value').fill('2020-01-31'))
  await ada.button('Remove the filter: Created from 2020-01-31').waitFor()
  const where = [`bid_id.eq.${bid_id}`, 'created_at.gte.2020-01-31']
  await soon(() => expect(new URL(ada.page.url()).searchParams.getAll('where')).toEqual(where))
  await ada.press('Remove the filter: Bid is جسر الميناء')
  await ada.sees(/^122 projects$/)
}, 300_000)

test('columns are chosen, and rows that are ticked are changed or deleted together, and that undone', async () => {
  await ada.go('/projects?order=project_name.asc&q=lot 00', 'Projects')
  await ada.press('Columns')
  await ada.page.getByRole('checkbox', { name: 'Id', exact: true }).check()
  await ada.page.getByRole('columnheader', { name: 'Id', exact: true }).waitFor()
  await ada.page.keyboard.press('Escape')
  for (const name of ['Lot 000', 'Lot 001']) await ada.page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await ada.sees('2 selected')
  await ada.press('Change')
  const change = await ada.dialog('Change 2 projects')
  await ada.page.getByRole('combobox', { name: 'Bid' }).click()
  await ada.page.getByRole('option', { name: 'جسر الميناء' }).click()
  await change.getByText('Bid of 2 projects becomes').waitFor()
  await change.getByRole('paragraph').filter({ hasText: 'جسر الميناء' }).waitFor()
  await ada.press('Change 2 projects')
  await ada.noDialog()
  const moved = async () =>
    (await ada.must('GET', '/api/rest/bid?select=bid_name,project(count)&order=bid_name')) as unknown
  const before = [
    { bid_name: 'Harbour bridge', project: [{ count: 121 }] },
    { bid_name: 'جسر الميناء', project: [{ count: 1 }] },
  ]
  expect(await moved()).not.toEqual(before)
  await ada.press('Undo')
  await ada.told('It is undone.')
  expect(await moved()).toEqual(before)
  await ada.page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await ada.press('Delete')
  await ada.dialog('Delete 10 projects?')
  await ada.press('Delete projects')
  await ada.sees('No project has “lot 00” in its name.')
  await ada.press('Undo')
  await ada.row('Lot 009').waitFor()
  expect(await moved()).toEqual(before)
}, 300_000)

test('an address with no id says that there is nothing of that kind', async () => {
  await ada.go('/projects?open=zzz', 'Projects')
  await ada.sees('There is no such project.')
  await ada.go('/credentials/zzz', 'Credential')
  await ada.sees('There is no such credential')
}, 300_000)

test('the table is walked by the keyboard: search, rows, and all of one row', async () => {
  await ada.go('/projects?order=project_name.asc', 'Projects')
  await ada.row('Lot 000').waitFor()
  const focused = () => ada.page.evaluate('document.activeElement.textContent')
  await ada.page.keyboard.press('/')
  await soon(async () => expect(await ada.page.evaluate('document.activeElement.type')).toBe('search'))
  await ada.button('Lot 000').focus()
  await ada.page.keyboard.press('ArrowDown')
  await soon(async () => expect(await focused()).toBe('Lot 001'))
  await ada.page.keyboard.press('x')
  await ada.sees('1 selected')
  await ada.page.keyboard.press('Enter')
  await ada.dialog('Lot 001')
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await ada.until("document.activeElement.textContent === 'Lot 001'")
}, 300_000)

test('a row is saved before the name of what it belongs to has come', async () => {
  const names = /\/rest\/bid\?.*select=bid_name/
  const held = Promise.withResolvers<void>()
  await ada.page.route(names, (route) => held.promise.then(() => route.continue()))
  await ada.go('/projects?q=lot 006', 'Projects')
  await ada.act('Lot 006', 'Edit')
  await ada.dialog('Edit Lot 006')
  await ada.fill({ Name: 'Lot 006 of mine' })
  await ada.press('Save')
  await ada.row('Lot 006 of mine').waitFor()
  held.resolve()
  await ada.noDialog()
  await ada.page.unroute(names)
}, 300_000)

test('two people who change one row do not overwrite each other', async () => {
  const [{ id }] = await ada.must('GET', '/api/rest/project?project_name=eq.Lot 005')
  const rename = (project_name: string) => ada.must('PATCH', `/api/rest/project?id=eq.${id}`, { project_name })
  await ada.go('/projects?q=lot 005', 'Projects')
  await ada.act('Lot 005', 'Edit')
  const dialog = await ada.dialog('Edit Lot 005')
  await ada.fill({ Name: 'Lot of mine' })
  await rename('Lot of theirs')
  await ada.press('Save')
  await dialog.getByText('Somebody else has changed it meanwhile').waitFor()
  await dialog.getByText('Lot of theirs').waitFor()
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('Lot of mine'))
  // Escape does not drop what was typed.
  await ada.page.keyboard.press('Escape')
  await ada.sees('What you typed is not saved. Discard it?')
  await ada.press('Keep editing')
  // The keyboard goes on where it was.
  await ada.field('Name').focus()
  for (const [ask, key] of [
    [() => ada.page.keyboard.press('Escape'), 'Enter'],
    [() => ada.press('Close'), 'Escape'],
  ] as const) {
    await ask()
    await ada.until("document.activeElement.textContent === 'Keep editing'")
    await ada.page.keyboard.press(key)
    await ada.until("document.activeElement.value === 'Lot of mine'")
  }
  await ada.press('Take theirs: Name')
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('Lot of theirs'))
  await ada.fill({ Name: 'Lot of both' })
  await ada.press('Save mine')
  await ada.noDialog()
  expect((await ada.must('GET', `/api/rest/project?id=eq.${id}`))[0].project_name).toBe('Lot of both')
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `Lot ${String(from + at).padStart(3, '0')}`)

/** The names in the table, from above. */
const names = (): Promise<string[]> => ada.page.getByRole('rowheader').allTextContents()

/** What the shown command prints, in a shell that knows the key and the secret. */
async function runShown(part: Locator): Promise<string> {
  const command = await textOf(part.getByLabel('curl command', { exact: true }).locator('code'))
  const env = { PATH: process.env.PATH ?? '', PROJECT_API_KEY: keys.api_key, PROJECT_API_SECRET: keys.api_secret }
  const child = Bun.spawn(['sh', '-c', command.replace('curl', 'curl -sS --fail-with-body')], { env })
  const output = await new Response(child.stdout).text()
  expect([output, await child.exited]).toEqual([output, 0])
  return output
}
