import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { textOf, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let keys: { readonly id: string; readonly api_key: string; readonly api_secret: string }

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.mayUseClipboard()
  keys = await ada.must('POST', '/api/credentials', { name: 'Nightly report', access: 'read', expires_at: null })
}, 300_000)

afterAll(() => site?.close())

test('a failed request appears by itself, with how to fix it and a command to repeat it', async () => {
  await ada.go('/requests', 'Requests')
  await ada.sees('No request yet')
  const refused = await site.call(keys, 'GET', '/project?select=id&projectname=eq.Bridge')
  expect(refused.status).toBe(400)
  await ada.page.getByRole('button', { name: /GET.*projectname=eq\.Bridge/ }).click()
  const dialog = await ada.dialog('Request')
  await dialog.getByText('column project.projectname does not exist 42703').waitFor()
  await dialog.getByText(/How to fix it:.*Perhaps you meant.*project_name/).waitFor()
  const id = refused.headers.get('x-request-id') ?? ''
  await soon(async () => expect(await textOf(dialog)).toContain(id))
  await dialog.getByRole('button', { name: 'Copy curl command' }).click()
  await soon(async () =>
    expect(await ada.clipboard()).toContain(`${site.base}/rest/v1/project?select=id&projectname=eq.Bridge'`),
  )
  const command = await ada.clipboard()
  expect(command).toContain('X-API-Secret: $PROJECT_API_SECRET')
  expect(command).not.toContain(keys.api_key)
  await soon(() => expect(ada.place).toBe(`/requests?request=${id}`))
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()

  // A click anywhere on a row opens it. Its text is as it was meant, and the command as it was sent.
  await site.call(keys, 'GET', `/invoice?name=eq.${encodeURIComponent('新しい')}`)
  const row = ada.row('新しい')
  await soon(async () => expect(await textOf(row.locator('time'))).toMatch(/\d\d:\d\d:\d\d$/))
  await row.getByRole('cell', { name: /^404 / }).click()
  await dialog.getByText('How to fix it: Ask for one of bid, project, event.').waitFor()
  await soon(async () =>
    expect(await textOf(dialog.getByRole('definition').getByRole('code').first())).toContain('新しい'),
  )
  await soon(async () => expect(await textOf(dialog.locator('pre'))).toContain('%E6%96%B0'))
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
}, 300_000)

test('requests are narrowed by outcome and credential, and found by their id', async () => {
  const { headers } = await site.call(keys, 'GET', '/bid')
  const [bid, failed] = [/GET.*\/bid/, /GET.*projectname/].map((name) => ada.page.getByRole('button', { name }))
  await bid?.waitFor()
  await ada.field('Outcome').selectOption('Failed')
  await bid?.waitFor({ state: 'detached' })
  await failed?.waitFor()
  await ada.field('Outcome').selectOption('All')
  await ada.field('Method').selectOption('GET')
  await ada.field('Status').selectOption('400')
  await failed?.waitFor()
  await bid?.waitFor({ state: 'detached' })
  await ada.field('Method').selectOption('All')
  await ada.field('Status').selectOption('All')
  await bid?.waitFor()
  await ada.fill({ 'Path contains': 'projectname=eq.bridge' })
  await bid?.waitFor({ state: 'detached' })
  await failed?.waitFor()
  await soon(() => expect(ada.place).toBe('/requests?path=projectname%3Deq.bridge'))
  await ada.fill({ 'Path contains': '新し' })
  await failed?.waitFor({ state: 'detached' })
  await ada.row('新しい').waitFor()
  // The address alone says it, too.
  await ada.go('/requests?path=%2Fbid', 'Requests')
  await bid?.waitFor()
  await soon(async () => expect(await ada.field('Path contains').inputValue()).toBe('/bid'))
  await soon(async () => expect(await failed?.count()).toBe(0))
  await expectNoViolations(ada, 'requests by a part of their path')
  for (const width of [390, 1024, 1440]) await ada.fits(width)
  await ada.fill({ 'Path contains': '' })
  await failed?.waitFor()
  await ada.choose('Credential', 'Nightly report')
  await bid?.waitFor()
  await soon(() => expect(ada.place).toBe(`/requests?credential=${keys.id}`))
  await ada.fill({ 'Request id': headers.get('x-request-id') ?? '' })
  await ada.page.keyboard.press('Enter')
  const dialog = await ada.dialog('Request')
  await dialog.getByText('200', { exact: true }).waitFor()
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  await ada.fill({ 'Request id': 'nonsense' })
  await ada.page.keyboard.press('Enter')
  await ada.sees('This is no request id.')
  await soon(async () => expect(await ada.page.getByRole('dialog').count()).toBe(0))
  await ada.fits(390)
  await ada.go('/requests?request=abc', 'Requests')
  await (await ada.dialog('Request')).getByText('This is no request id.').waitFor()
}, 300_000)

test('the latest requests are on the overview and on the page of their credential', async () => {
  for (const [path, heading] of [
    ['/', 'Overview'],
    [`/credentials/${keys.id}?tab=requests`, 'Nightly report'],
  ] as const) {
    await ada.go(path, heading)
    await ada.loads()
    const panel = ada.page.getByRole('region', { name: 'Latest requests' })
    await panel.getByRole('button', { name: /GET.*projectname/ }).click()
    await (await ada.dialog('Request')).getByText(/How to fix it:/).waitFor()
    await ada.page.keyboard.press('Escape')
    await ada.noDialog()
  }
}, 300_000)

test('nothing on the overview moves when the requests come', async () => {
  for (const _ of Array(4)) await site.call(keys, 'GET', '/bid')
  // Requests are counted a moment after they were answered.
  await soon(async () => {
    const { days } = await ada.must('GET', '/api/overview')
    expect(days.reduce((sum: number, { ok }: { ok: number }) => sum + ok, 0)).toBeGreaterThan(4)
  })
  const answers = /\/api\/.*\/(usage|requests)\?/
  const tops = (): Promise<number[]> =>
    ada.page.evaluate("[...document.querySelectorAll('section.panel')].slice(1).map((panel) => panel.offsetTop)")
  for (const [width, most] of [
    [1280, 1],
    [390, 8],
  ] as const) {
    for (const chart of ['requests', 'latency']) {
      const { promise, resolve } = Promise.withResolvers<void>()
      await ada.page.route(answers, async (route) => {
        await promise
        await route.continue()
      })
      await ada.go(`/?chart=${chart}`, 'Overview')
      await soon(async () => expect(await ada.page.getByText('Loading…').count()).toBe(2))
      await expectNoViolations(ada, 'an overview that is still read')
      await ada.fits(width)
      const before = await tops()
      resolve()
      await ada.loads()
      await ada.page.getByRole('table', { name: 'Requests, newest first' }).waitFor()
      const after = await tops()
      expect([before.length, after.length]).toEqual([2, 2])
      const moved = after.map((top, at) => Math.abs(top - (before[at] ?? 0)))
      expect(Math.max(...moved)).toBeLessThanOrEqual(most)
      await ada.page.unrouteAll({ behavior: 'wait' })
    }
  }
  expect(site.noise).toEqual([])
}, 300_000)
