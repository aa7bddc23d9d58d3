import { afterAll, beforeAll, expect, test } from 'bun:test'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import type { Visitor } from './visitor.ts'

let site: Site
let ada: Visitor

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })
}, 300_000)

afterAll(() => site?.close())

/** Opens the dialog and chooses a file in it. */
async function choose(text: string): Promise<void> {
  await ada.press('Import')
  await ada.dialog('Import projects')
  await chooseFile(Buffer.from(text))
}

async function chooseFile(buffer: Buffer): Promise<void> {
  await ada.page.locator('input[type=file]').setInputFiles({ name: 'lots.csv', mimeType: 'text/csv', buffer })
  await ada.press('Continue')
}

/** Whether a button can be seen on small screens without scrolling, and nothing is wider than the dialog. */
async function staysInSight(button: string): Promise<void> {
  for (const [width, height] of [
    [1440, 600],
    [390, 600],
  ] as const) {
    await ada.page.setViewportSize({ width, height })
    const dialog = await ada.dialog('Import projects')
    await soon(async () => {
      const [inner, outer] = [await ada.button(button).boundingBox(), await dialog.boundingBox()]
      const endOf = (box: typeof inner) => (box?.y ?? Number.NaN) + (box?.height ?? 0)
      expect(endOf(inner)).toBeLessThanOrEqual(endOf(outer))
    })
    await soon(async () => expect(await ada.page.evaluate(hiddenWidth)).toBe(0))
  }
}

/** How much of the dialog can only be seen by scrolling sideways. */
const hiddenWidth =
  "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('[role=dialog]'))"

test('10,000 rows are matched, checked and written, and the bad ones reported', async () => {
  await ada.go('/projects', 'Projects')
  const rows = Array.from(
    { length: 10_000 },
    (_, at) => `Lot ${at};${at % 1000 === 7 ? 'Nowhere' : 'Harbour bridge'};x`,
  )
  await ada.press('Import')
  await ada.dialog('Import projects')
  // The first bytes of a picture.
  await chooseFile(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00]))
  await ada.sees('lots.csv is no CSV file in UTF-8.')
  await chooseFile(Buffer.from(`Title;Bid;Notes;A;B;C;D;E;F\n${rows.join('\n')}\n`))
  await ada.sees('A column is missing')
  await ada.page.getByLabel('Import Title as').selectOption('Name (needed)')
  await staysInSight('Check 10,000 rows')
  await ada.press('Check 10,000 rows')
  await ada.sees('10 of 10,000 rows are bad')
  await ada.sees('Bid: There is no bid named "Nowhere"')
  await staysInSight('Import 9,990 projects')
  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByText('Download all bad rows').click(),
  ])
  const report = await Bun.file(await download.path()).text()
  const why = '"Bid: There is no bid named ""Nowhere"". Create it first, or write the id of a bid."'
  expect(report.split('\r\n').slice(0, 3)).toEqual([
    'row,what is wrong,Title,Bid,Notes,A,B,C,D,E,F',
    `9,${why},Lot 7,Nowhere,x`,
    `1009,${why},Lot 1007,Nowhere,x`,
  ])
  expect((await ada.must('GET', '/api/rest/project?limit=1')).length).toBe(0)
  await ada.press('Import 9,990 projects')
  await ada.sees('9,990 projects imported')
  await ada.press('Done')
  await ada.noDialog()
  await ada.sees('Lot 9999')
  expect(await ada.must('GET', '/api/rest/project?select=count()')).toEqual([{ count: 9990 }])
}, 300_000)

test('what the table shows is exported as a file', async () => {
  await ada.go('/projects?q=Lot 99', 'Projects')
  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('link', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('projects.csv')
  const lines = (await Bun.file(await download.path()).text()).trim().split('\n')
  expect(lines[0]).toBe('id,bid_id,project_name,created_at,updated_at,bid')
  expect(lines).toHaveLength(1 + 111)
  expect(lines[1]).toContain('Harbour bridge')
}, 300_000)

test('an import can be cancelled, and says what was written', async () => {
  const rows = Array.from({ length: 2000 }, (_, at) => `Late ${at},Harbour bridge`)
  const bad = [7, 601, 1501]
  for (const at of bad) rows[at] = `Late ${at},"No such, bridge"`
  await choose(`Name,Bid\n${rows.join('\n')}\n`)
  await ada.press('Check 2,000 rows')
  await ada.sees('3 of 2,000 rows are bad')
  // The second part waits until somebody has cancelled.
  const parts = new Set<string>()
  const cancelled = Promise.withResolvers<void>()
  await ada.page.route('**/import/project/write', async (route) => {
    // A part that the server had no time for is sent again with the same key.
    parts.add(route.request().postDataJSON().key)
    if (parts.size === 2) await cancelled.promise
    await route.continue()
  })
  await ada.press('Import 1,997 projects')
  await ada.sees('Written 499 of 1,997 rows')
  // Whoever would end it by leaving is asked.
  const asked = ada.page.waitForEvent('dialog')
  void ada.page.reload().catch(() => {})
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await ada.press('Cancel')
  cancelled.resolve()
  await ada.sees('998 projects imported, then it ended')
  await ada.sees('You cancelled it. It was written up to row 1,001 of the file without 2 bad rows, and that stays.')
  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByText('Download the 1,002 rows that were not imported').click(),
  ])
  expect(await Bun.file(await download.path()).text()).toBe(
    `Name,Bid\n${[rows[7], rows[601], ...rows.slice(1000)].join('\n')}\n`,
  )
  expect(await ada.must('GET', '/api/rest/project?select=count()&project_name=like.Late*')).toEqual([{ count: 998 }])
  await ada.page.unroute('**/import/project/write')
  await ada.press('Done')
  await ada.noDialog()
  // On a busy machine, a part may take longer than it may. Nothing of it was written then, and the page sends it again.
  expect(site.noise.filter((line) => !/^504: .*\/import\//.test(line))).toEqual([])
}, 300_000)
