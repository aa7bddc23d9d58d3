import { afterAll, beforeAll, expect, test } from 'bun:test'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import type { Keys, Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let grace: Visitor
let keys: Required<Keys>

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  grace = await site.member(ada, 'Grace', 'developer')
  keys = await ada.must('POST', '/api/credentials', { name: 'App', access: 'read-write', expires_at: null })
}, 300_000)

afterAll(() => site?.close())

/** A bid that an application makes. */
async function add(bid_name: string): Promise<string> {
  const { json } = await site.call(keys, 'POST', '/bid', { body: { bid_name } })
  return json.id
}

const rename = (id: string, bid_name: string) => site.call(keys, 'PATCH', `/bid?id=eq.${id}`, { body: { bid_name } })
const streams = (visitor: Visitor): number =>
  visitor.requested.filter((url) => url.endsWith('/rest/bid?select=id')).length
const names = (): Promise<string[]> => ada.page.getByRole('rowheader').allTextContents()

test('rows appear, change and go as an application writes them', async () => {
  await ada.go('/bids', 'Bids')
  await ada.sees('No bids yet')
  const id = await add('Harbour')
  await ada.row('Harbour').waitFor()
  await rename(id, 'Harbour bridge')
  await ada.row('Harbour bridge').waitFor()
  await site.call(keys, 'DELETE', `/bid?id=eq.${id}`)
  await ada.sees('No bids yet')
}, 300_000)

test('what is counted in a row follows', async () => {
  const id = await add('Quay')
  await ada.row('Quay').waitFor()
  const count = ada.page.getByRole('link', { name: 'Projects of Quay: 1' })
  await site.call(keys, 'POST', '/project', { body: { bid_id: id, project_name: 'Crane' } })
  await count.waitFor()
  await site.call(keys, 'DELETE', `/project?bid_id=eq.${id}`)
  await count.waitFor({ state: 'detached' })
  await ada.row('Quay').waitFor()
  await site.call(keys, 'DELETE', `/bid?id=eq.${id}`)
  await ada.sees('No bids yet')
}, 300_000)

test('what is being edited or ticked stays as it is', async () => {
  const id = await add('Old town')
  await ada.act('Old town', 'Edit')
  await ada.dialog('Edit Old town')
  await ada.fill({ Name: 'Typed' })
  await add('Station')
  await ada.until("document.querySelector('main').textContent.includes('Station')")
  await soon(async () => expect(await ada.field('Name').inputValue()).toBe('Typed'))
  await ada.press('Cancel')
  await ada.noDialog()
  await ada.page.getByRole('checkbox', { name: 'Select Old town' }).check()
  const before = await names()
  await add('Tunnel')
  await rename(id, 'New town')
  await ada.sees('The bids have changed.')
  await expectNoViolations(ada, 'a selection in a table that has changed')
  await soon(async () => expect(await names()).toEqual(before))
  await ada.press('Show the changes')
  await ada.row('Tunnel').waitFor()
  await ada.page.getByRole('checkbox', { name: 'Select New town', checked: true }).waitFor()
  await add('Viaduct')
  await ada.sees('The bids have changed.')
  await ada.press('Clear the selection')
  await ada.row('Viaduct').waitFor()
}, 300_000)

test('a stream that opens late says only of rows that have changed that they have', async () => {
  const late = await ada.newWindow()
  const place = () => late.row('Station').boundingBox()
  const said = late.page.getByText('The bids have changed.')
  /** Ticks a row while no stream is open yet, and lets all of them open afterwards: where the row was. */
  const tick = async (meanwhile = async () => {}) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await late.page.route(/\/rest\/\w+\?select=id$/, async (route) => {
      await promise
      await route.continue()
    })
    await late.go('/bids', 'Bids')
    await late.page.getByRole('checkbox', { name: 'Select Station' }).check()
    await meanwhile()
    const before = await place()
    const read = late.page.waitForResponse(/\/rest\/bid\?select=(?!id$)/)
    resolve()
    await (await read).finished()
    return before
  }
  const before = await tick()
  expect([await place(), await said.count()]).toEqual([before, 0])
  await tick(async () => void (await add('While nobody listened')))
  await said.waitFor()
  await soon(async () => expect(await late.row('While nobody listened').count()).toBe(0))
  await late.page.close()
}, 300_000)

test('it goes on after a lost connection', async () => {
  await ada.context.setOffline(true)
  await ada.sees('The server cannot be reached')
  await add('While offline')
  await ada.context.setOffline(false)
  await ada.row('While offline').waitFor()
  await add('Afterwards')
  await ada.row('Afterwards').waitFor()
}, 300_000)

test('a member who is removed is shown nothing more', async () => {
  await grace.go('/bids', 'Bids')
  await grace.row('Afterwards').waitFor()
  const { person } = await grace.must('GET', '/api/session')
  await ada.must('DELETE', `/api/members/${person.id}`)
  await grace.dialog('You are not a member of Acme any more')
}, 300_000)

test('where events are off, the page asks for none', async () => {
  await ada.must('PUT', '/api/company/events', { on: false })
  const before = streams(ada)
  await ada.go('/bids', 'Bids')
  await ada.row('Afterwards').waitFor()
  await ada.until(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/company/events'))`)
  // Whatever it asked for after that answer, it has asked for before the next page.
  await ada.go('/bids', 'Bids')
  expect(streams(ada)).toBe(before)
}, 300_000)

test('no page has done what it should not', () => {
  expect(site.noise).toEqual([])
})
