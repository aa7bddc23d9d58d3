import { afterAll, beforeAll, expect, test } from 'bun:test'
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

/** Chooses a file in the open dialog. */
async function choose(text: string): Promise<void> {
  await ada.press('Import')
  await ada.dialog('Import projects')
  const file = { name: 'lots.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await ada.page.locator('input[type=file]').setInputFiles(file)
  await ada.press('Continue')
}

test('10,000 rows are matched, checked and written, and the bad ones reported', async () => {
  await ada.go('/projects', 'Projects')
  const rows = Array.from(
    { length: 10_000 },
    (_, at) => `Lot ${at};${at % 5000 === 7 ? 'Nowhere' : 'Harbour bridge'};x`,
  )
  await choose(`Title;Bid;Notes\n${rows.join('\n')}\n`)
  await ada.sees('A column is missing')
  await ada.page.getByLabel('Import Title as').selectOption('Name (needed)')
  await ada.press('Check 10,000 rows')
  await ada.sees('2 of 10,000 rows are bad')
  await ada.sees('There is no bid named "Nowhere"')
  const [download] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByText('Download all bad rows').click(),
  ])
  const report = await Bun.file(await download.path()).text()
  expect(report.split('\r\n').slice(0, 3)).toEqual([
    'row,code,message,hint,Title,Bid,Notes',
    '8,name_unknown,"There is no bid named ""Nowhere""","Create it first, or write the id of a bid.",Lot 7,Nowhere,x',
    '5008,name_unknown,"There is no bid named ""Nowhere""","Create it first, or write the id of a bid.",Lot 5007,Nowhere,x',
  ])
  expect((await ada.must('GET', '/api/rest/project?limit=1')).length).toBe(0)
  await ada.press('Import 9,998 projects')
  await ada.sees('9,998 projects imported')
  await ada.press('Done')
  await ada.noDialog()
  await ada.sees('Lot 9999')
  expect(await ada.must('GET', '/api/rest/project?select=count()')).toEqual([{ count: 9998 }])
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
  await choose(`Name,Bid\n${rows.join('\n')}\n`)
  await ada.press('Check 2,000 rows')
  await ada.sees('All 2,000 rows are good')
  // The second part waits until somebody has cancelled.
  let parts = 0
  const cancelled = Promise.withResolvers<void>()
  await ada.page.route('**/import/project/write', async (route) => {
    parts += 1
    if (parts === 2) await cancelled.promise
    await route.continue()
  })
  await ada.press('Import 2,000 projects')
  await ada.sees('Written 500 of 2,000 rows')
  await ada.press('Cancel')
  cancelled.resolve()
  await ada.sees('1,000 projects imported, then it ended')
  expect(await ada.must('GET', '/api/rest/project?select=count()&project_name=like.Late*')).toEqual([{ count: 1000 }])
  await ada.page.unroute('**/import/project/write')
  await ada.press('Done')
  await ada.noDialog()
  expect(site.noise).toEqual([])
}, 300_000)
