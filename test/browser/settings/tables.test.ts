import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isDeepStrictEqual } from 'node:util'
import { until } from '../../support/service.ts'
import { colours, expectNoViolations, showTheme, violations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import type { Visitor } from './visitor.ts'

let site: Site
let ada: Visitor

const states = [
  { value: 'lead', label: 'Lead' },
  { value: 'talks', label: 'In negotiation, with the client', color: 'orange' },
  { value: 'won', label: 'Won', color: 'green' },
]
const fields = [
  { name: 'state', label: 'State of the work', type: 'choice', choices: states },
  { name: 'kinds', type: 'choices', choices: ['Concrete', 'Steel', 'Plumbing', 'Electrical installation'] },
  { name: 'people', type: 'integer' },
  { name: 'website', type: 'url' },
  { name: 'note', label: 'A very long label that nobody should use but somebody does anyway', type: 'text' },
  ...Array.from({ length: 12 }, (_, at) => ({ name: `more_${at}`, label: `More ${at}`, type: 'text' })),
]

/** Sixty projects: a third of them has values, and the last of those has the most people. */
const projects = Array.from({ length: 60 }, (_, at) => {
  const filled = <Value>(value: Value) => (at % 3 === 0 ? value : null)
  return {
    project_name: `Harbour bridge ${String(at).padStart(2, '0')}`,
    state: filled(states[(at / 3) % 3]?.value),
    kinds: filled(['Concrete', 'Steel', 'Electrical installation']),
    people: filled(at * 100),
    website: filled(`https://example.com/projects/with/a/very/long/path/${at}`),
  }
})

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.keepUndo()
  for (const field of fields) await ada.must('POST', '/api/fields', { resource: 'project', ...field })
  const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour' })
  await ada.must(
    'POST',
    '/api/rest/project',
    projects.map((project) => ({ bid_id, ...project })),
  )
}, 300_000)

afterAll(() => site?.close())

test('a table with many columns has rows of one height, and the name with its header stays in sight', async () => {
  await ada.page.setViewportSize({ width: 1440, height: 900 })
  await ada.go('/projects', 'Projects')
  await ada.row('Harbour bridge 57').waitFor()
  const heights = () => ada.page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => row.clientHeight)")
  await soon(async () => expect(await heights()).toEqual(Array(50).fill(40)))
  const widths = await ada.page.evaluate(
    `[...document.querySelectorAll('th:not([class])')].map((th) => th.clientWidth)`,
  )
  const [name = 0, ...others] = widths as number[]
  expect(name).toBeGreaterThan(Math.max(...others))
  await ada.row('Harbour bridge 57').getByText('+2').waitFor()
  // A component for each of the thousand cells makes people wait; the name of a row is one.
  await soon(async () => expect(await ada.page.locator('tbody [class*=mantine-]').count()).toBe(50))

  await ada.page.evaluate("document.querySelector('.data-table').scrollLeft = 900")
  const header = ada.page.getByRole('columnheader', { name: 'Name' })
  const cell = ada.page.getByRole('rowheader').first()
  const [above, below] = [await header.boundingBox(), await cell.boundingBox()]
  expect(above?.x).toBe(below?.x as number)
  // What ticks a row stays beside its name.
  const ticks = await ada.page.getByRole('checkbox', { name: 'Select Harbour bridge 57' }).locator('..').boundingBox()
  expect((ticks?.x ?? 0) + (ticks?.width ?? 0)).toBeCloseTo(below?.x ?? 0, 0)
  // No label is drawn beyond its own header, and each says all of itself on hover.
  const cut = await ada.page.evaluate(`[...document.querySelectorAll('th [title]')].filter((label) => {
    const [one, other] = [label, label.closest('th')].map((part) => part.getBoundingClientRect())
    return one.left < other.left || one.right > other.right || label.title !== label.textContent
  }).length`)
  expect(cut).toBe(0)
}, 300_000)

test('what differs from the usual columns is remembered, and a field that is added later is shown', async () => {
  const headers = () => ada.page.locator('th .ellipsis').allTextContents()
  const show = async (address: string) => {
    await ada.go(address, 'Projects')
    await ada.row('Harbour bridge 57').waitFor()
    return headers()
  }
  const usual = await show('/projects')
  await ada.press('Columns')
  await ada.page.getByRole('checkbox', { name: 'Website', exact: true }).uncheck()
  await ada.page.getByRole('checkbox', { name: 'Id', exact: true }).check()
  await soon(() => expect(new URL(ada.page.url()).searchParams.get('columns')).toBe('-website,id'))
  const chosen = (await show('/projects')).toSorted()
  expect(chosen).toEqual([...usual.filter((header) => header !== 'Website'), 'Id'].toSorted())
  // An address with columns counts first.
  expect(await show('/projects?columns=-people')).toEqual(usual.filter((header) => header !== 'People'))
  const { id } = await ada.must('POST', '/api/fields', { resource: 'project', name: 'later', type: 'text' })
  expect((await show('/projects')).toSorted()).toEqual([...chosen, 'Later'].toSorted())
  await ada.must('POST', `/api/fields/${id}/archive`)
  await ada.go('/bids', 'Bids')
  await ada.row('Harbour').waitFor()
  await soon(async () => expect(await headers()).not.toContain('Id'))
  expect((await show('/projects')).toSorted()).toEqual(chosen)
  await ada.press('Columns')
  await ada.press('Back to the usual ones')
  await ada.page.getByRole('columnheader', { name: 'Website' }).waitFor()
  await ada.page.keyboard.press('Escape')
  expect(await show('/projects')).toEqual(usual)
}, 300_000)

test('what has no value comes last in both directions, in the API call too', async () => {
  await ada.go('/projects?order=people.desc', 'Projects')
  await ada.row('Harbour bridge 57').waitFor()
  expect((await ada.page.getByRole('rowheader').allTextContents()).slice(0, 2)).toEqual([
    'Harbour bridge 57',
    'Harbour bridge 54',
  ])
  await ada.press('Show as API call')
  await ada.sees(/order=people\.desc\.nullslast,id\.desc/)
  const exported = await ada.page.getByRole('link', { name: 'Export' }).getAttribute('href')
  expect(decodeURIComponent(exported ?? '')).toContain('order=people.desc.nullslast')
}, 300_000)

test('a filter takes a number as the table writes it, and says at the field what is none', async () => {
  const start = async (column: string, condition: string) => {
    await ada.press('Filter')
    await ada.page.getByRole('combobox', { name: 'Column' }).selectOption(column)
    await ada.page.getByRole('combobox', { name: 'Condition' }).selectOption(condition)
  }
  await start('People', 'is at least')
  await ada.field('Value').fill('abc')
  await ada.press('Add filter')
  await ada.sees('Enter a whole number, such as 1,250.')
  await expectNoViolations(ada, 'a filter with a wrong value')
  await ada.field('Value').fill('5,400')
  await ada.press('Add filter')
  await ada.sees(/^2 projects$/)
  await ada.press('Remove the filter: People is at least 5400')

  await start('State of the work', 'is not')
  await ada.field('Value').selectOption('Won')
  await ada.press('Add filter')
  // Those without a state are not won either.
  await ada.sees(/^54 projects$/)
  await ada.press('Remove the filter: State of the work is not Won')

  await start('State of the work', 'is any of')
  await ada.press('Add filter')
  await ada.sees('Choose at least one.')
  for (const name of ['Won', 'Lead']) await ada.page.getByRole('checkbox', { name }).check()
  await ada.press('Add filter')
  await ada.sees(/^13 projects$/)
  await soon(() => expect(new URL(ada.page.url()).searchParams.get('where')).toBe('state.in.won,lead'))
}, 300_000)

test('a filter is edited in place, with its column, condition and value', async () => {
  await ada.press('Edit the filter: State of the work is any of Won, Lead')
  for (const [label, value] of [
    ['Column', 'state'],
    ['Condition', 'in'],
  ] as const)
    await soon(async () => expect(await ada.field(label).inputValue()).toBe(value))
  await soon(async () => expect(await ada.page.getByRole('checkbox', { name: 'Won' }).isChecked()).toBe(true))
  await ada.page.getByRole('checkbox', { name: 'Lead' }).uncheck()
  await expectNoViolations(ada, 'a filter that is edited')
  for (const width of [390, 1024, 1440]) await ada.fits(width)
  await ada.press('Save filter')
  await ada.sees(/^6 projects$/)
  const where = () => new URL(ada.page.url()).searchParams.getAll('where')
  expect(where()).toEqual(['state.in.won'])

  // Only the one that is edited changes, also to another column.
  await ada.go('/projects?where=people.gte.5400&where=project_name.has.57', 'Projects')
  await ada.press('Edit the filter: People is at least 5400')
  await soon(async () => expect(await ada.field('Value').inputValue()).toBe('5400'))
  await ada.field('Value').fill('1,000')
  await ada.page.keyboard.press('Enter')
  await ada.button('Edit the filter: People is at least 1000').waitFor()
  expect(where()).toEqual(['people.gte.1000', 'project_name.has.57'])
  await ada.press('Edit the filter: Name contains 57')
  await ada.page.getByRole('combobox', { name: 'Column' }).selectOption('State of the work')
  await ada.field('Value').selectOption('Won')
  await ada.press('Save filter')
  await ada.button('Edit the filter: State of the work is Won').waitFor()
  expect(where()).toEqual(['people.gte.1000', 'state.eq.won'])
}, 300_000)

test('a filter on a column that is not there shows no rows, and nothing is exported until it is removed', async () => {
  const where = 'where=gone_field.eq.5&where=people.gte.5400'
  for (const address of [`/projects?${where}`, `/projects?board=state&${where}`]) {
    await ada.go(address, 'Projects')
    await ada.sees('The address asks for projects by “gone_field”, which is no column here.')
    await ada.button('Remove the filter: gone_field, no such column').waitFor()
    await soon(async () => expect(await ada.page.locator('tbody tr, .lane').count()).toBe(0))
    await soon(async () => expect(await ada.button('Export').getAttribute('aria-disabled')).toBe('true'))
  }
  await expectNoViolations(ada, 'a filter on no column')
  await ada.go(`/projects?${where}`, 'Projects')
  await ada.press('Remove this filter')
  await ada.sees(/^2 projects$/)
  await ada.page.getByRole('link', { name: 'Export' }).waitFor()
  await ada.go('/activity?where=nonsense', 'Activity')
  await ada.press('Remove the filter: nonsense, no such column')
  await ada.row('Ada').first().waitFor()
  // An order by no column is the usual one.
  await ada.go('/projects?order=gone_field.asc&where=state.in.won,lead', 'Projects')
  await ada.sees(/^13 projects$/)
}, 300_000)

test('rows are ticked with the search in sight, and every text in them can be read', async () => {
  await ada.press(/^Remove the filter/)
  await ada.sees(/^60 projects$/)
  await ada.page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await ada.sees('50 selected on this page')
  await ada.page.getByRole('searchbox').waitFor()
  await ada.button('Filter').waitFor()
  await expectNoViolations(ada, 'rows that are ticked')
  await ada.press('Clear the selection')
  await ada.row('Harbour bridge 57').hover()
  for (const colorScheme of ['light', 'dark'] as const) {
    await showTheme(ada, colorScheme)
    expect(await violations(ada, `the row under the pointer, ${colorScheme}`, colours)).toEqual([])
  }
}, 300_000)

test('on a phone, a card leaves out what has no value, and each choice is one line', async () => {
  await ada.page.setViewportSize({ width: 390, height: 844 })
  await ada.go('/projects?order=people.desc', 'Projects')
  await ada.row('Harbour bridge 57').waitFor()
  const shown = await ada.page.evaluate(
    `[...document.querySelectorAll('.no-value')].filter((part) => part.checkVisibility()).length`,
  )
  expect(shown).toBe(0)
  const heights = await ada.page.evaluate(
    `[...document.querySelectorAll('td .choice')].map((part) => part.clientHeight)`,
  )
  expect(new Set(heights as number[])).toEqual(new Set([22]))
  await ada.fits(390)
}, 300_000)

test('on a phone, rows are sorted and ticked as on a wide screen', async () => {
  await ada.go('/projects', 'Projects')
  await ada.field('Sort by').selectOption('People ↓')
  await ada.until("document.querySelector('[role=rowheader]').textContent === 'Harbour bridge 57'")
  await soon(() => expect(ada.place).toBe('/projects?order=people.desc'))
  await ada.field('Sort by').selectOption('People ↑')
  await ada.until("document.querySelector('[role=rowheader]').textContent === 'Harbour bridge 00'")
  await ada.page.getByRole('checkbox', { name: 'Select Harbour bridge 00' }).check()
  await ada.page.getByRole('checkbox', { name: 'Select Harbour bridge 57' }).check()
  await ada.sees('2 selected on this page')
  // What can be done with them stays in sight, however far down the last one is.
  await soon(async () => expect(await ada.page.evaluate('scrollY')).toBeGreaterThan(844))
  await ada.press('Delete')
  await ada.dialog('Delete 2 projects?')
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await ada.page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await ada.sees('50 selected on this page')
  await expectNoViolations(ada, 'cards that are ticked')
  for (const width of [390, 1024, 1440]) await ada.fits(width)
  await soon(async () => expect(await ada.field('Sort by').isVisible()).toBe(false))
  await ada.press('Clear the selection')
}, 300_000)

test('the table of events begins with what people read, and has its JSON in the panel', async () => {
  await ada.page.setViewportSize({ width: 1440, height: 900 })
  await ada.go('/events', 'Events')
  await ada.row('project.created').first().waitFor()
  const headers = await ada.page.locator('th .ellipsis').allTextContents()
  expect(headers).toEqual(['Type', 'Row', 'Changed', 'Created', 'Actor'])
  for (const width of [1440, 1024]) {
    await ada.fits(width)
    expect(
      await ada.page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.data-table'))",
      ),
    ).toBe(0)
  }
  await ada.page.getByRole('rowheader').first().getByRole('button').click()
  const panel = await ada.dialog('project.created')
  await panel.getByText('"project_name": "Harbour bridge').waitFor()
}, 300_000)

test('an event has the names of its row and of who changed it, which lead there', async () => {
  const keys = await ada.must('POST', '/api/credentials', {
    name: 'Nightly job',
    access: 'read-write',
    expires_at: null,
  })
  const [{ id: bid_id }] = await ada.must('GET', '/api/rest/bid?select=id')
  await site.call(keys, 'POST', '/project', { body: { bid_id, project_name: 'By a machine' } })
  await ada.go('/events', 'Events')
  const event = ada.row('By a machine')
  await event.getByRole('link', { name: 'Nightly job' }).waitFor()
  await ada.row('Harbour bridge').first().getByText('Ada Lovelace').waitFor()
  await event.getByRole('link', { name: 'By a machine' }).click()
  await ada.reaches('Projects')
  await ada.dialog('By a machine')
}, 300_000)

test('any field of the rows that are ticked is changed at once, and each gets its own value back', async () => {
  await ada.page.setViewportSize({ width: 1280, height: 900 })
  await ada.go('/projects?order=people.desc', 'Projects')
  await ada.row('Harbour bridge 57').waitFor()
  const change = async (field: string) => {
    await ada.press('Change')
    const dialog = await ada.dialog('Change 50 projects')
    await dialog.getByRole('combobox', { name: 'Field' }).selectOption(field)
    return dialog
  }
  const stored = () => ada.must('GET', '/api/rest/project?select=project_name,people,state,kinds&order=project_name')
  const before = await stored()
  await ada.page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const dialog = await change('People')
  await ada.fill({ People: 'many' })
  await ada.press('Change 50 projects')
  await ada.sees('Enter a whole number, such as 1,250.')
  await ada.fill({ People: '1,250' })
  await dialog.getByText('People of 50 projects becomes').waitFor()
  await dialog.getByText('1,250', { exact: true }).waitFor()
  await expectNoViolations(ada, 'a change of several rows')
  for (const width of [390, 1024, 1440]) await ada.fits(width)
  await ada.press('Change 50 projects')
  await ada.noDialog()
  await ada.told('50 projects are changed.')
  expect((await stored()).filter(({ people }: { people: number }) => people === 1250)).toHaveLength(50)
  await ada.press('Undo')
  await ada.told('It is undone.')
  expect(await stored()).toEqual(before)

  // An empty field takes the values away, and says so.
  await change('Kinds')
  await ada.press('Clear Kinds of 50 projects')
  await ada.noDialog()
  expect((await stored()).filter(({ kinds }: { kinds: unknown }) => kinds !== null).length).toBeLessThan(11)
  await ada.press('Undo')
  await until(async () => isDeepStrictEqual(await stored(), before))
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
