import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { Receiver, until } from '../../webhooks/support.ts'
import { expectNoViolations } from './axe.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { textOf, type Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
let receiver: Receiver
let secret = ''

beforeAll(async () => {
  receiver = new Receiver()
  site = await Site.open({ WEBHOOK_LOOPBACK: 'on' })
  ada = await site.owner()
}, 300_000)

afterAll(async () => {
  await site?.close()
  await receiver.stop()
})

test('a webhook is made from the page that explains what one is, and its secret is shown once', async () => {
  await ada.go('/webhooks', 'Webhooks')
  await ada.sees('No webhooks yet')
  await expectNoViolations(ada, 'no webhooks yet')
  await ada.press('Create your first webhook')
  await ada.dialog('New webhook')
  await ada.fill({ URL: 'https://10.0.0.1/hook' })
  await ada.press('Create webhook')
  await ada.sees(/10\.0\.0\.1 is a private or reserved address/)
  await expectNoViolations(ada, 'a refused URL')
  await ada.fill({ URL: receiver.url, Condition: 'project_name=like.A*' })
  await ada.page.getByRole('checkbox', { name: 'project.created' }).check()
  await ada.press('Create webhook')
  await ada.dialog('Your new webhook')
  await ada.press('Show secret')
  secret = await textOf(ada.page.getByTestId('webhook-secret'))
  expect(secret).toStartWith('whsec_')
  await expectNoViolations(ada, 'the secret')
  await ada.press('Done')
  await ada.sees('You have not copied the secret.')
  await ada.press('Close without copying')
  await ada.noDialog()
  await ada.row(receiver.url).waitFor()
  expect(await ada.page.content()).not.toContain(secret)
}, 300_000)

test('what is wrong with a condition is said at its field, in words for people', async () => {
  await ada.must('POST', '/api/fields', { resource: 'project', name: 'people', type: 'integer' })
  await ada.press('New webhook')
  await ada.dialog('New webhook')
  await ada.fill({ URL: 'https://example.com/other' })
  await ada.page.getByRole('checkbox', { name: 'project.created' }).check()
  const field = ada.page.locator('.mantine-TextInput-root').filter({ hasText: 'Condition' })
  for (const [condition, words] of [
    ['bridges', 'The condition has "bridges", which is no condition. Write each condition as in a URL'],
    ['order=id', 'The condition has "order". Send conditions only'],
    [
      'projectname=eq.A',
      'There is no column “projectname” of a project. Perhaps you mean “project_name”. Its columns are id, bid_id,',
    ],
    ['project_name=A*', '“A*” cannot be read. Write column=operator.value, such as project_name=eq.Bridge,'],
    ['project_name=likes.A*', '“likes.A*” cannot be read. Perhaps you mean “like”. Write column=operator.value,'],
    ['people=in.1,2', '“in.1,2” cannot be read. Write column=operator.value,'],
    ['people=gt.many', '“many” is no value of this column. Write an integer, such as 12.'],
    ['created_at=gte.2027-02-30', '“2027-02-30” is no value of this column. Write a day that is in the calendar'],
    ['people=like.5*', 'An operator does not fit its column: like is for texts'],
    ['bid.bid_name=eq.A', 'Only columns of the row itself can be compared'],
  ] as const) {
    await ada.fill({ Condition: condition })
    await ada.press('Create webhook')
    await field.getByText(words).waitFor()
    await soon(async () => expect(await ada.field('Condition').getAttribute('aria-invalid')).toBe('true'))
  }
  await soon(async () => expect(await ada.page.getByRole('alert').count()).toBe(0))
  await expectNoViolations(ada, 'a refused condition')
  for (const width of [390, 1024, 1440]) await ada.fits(width)
  await ada.press('Cancel')
  await ada.noDialog()
}, 300_000)

test('a test event arrives, and its delivery is shown', async () => {
  await ada.follow(receiver.url, 'Webhook')
  await ada.press('Send test event')
  await ada.told('The test event was received')
  const [got] = receiver.received
  expect(() => new Webhook(secret).verify(got?.text ?? '', got?.headers ?? {})).not.toThrow()
  await ada.press(/^webhook\.test/)
  await ada.dialog('webhook.test')
  await ada.sees(got?.headers['webhook-id'] ?? '')
  await expectNoViolations(ada, 'a delivery')
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
  // A row under the mouse has another colour.
  await ada.page.mouse.move(0, 0)
  await expectNoViolations(ada, 'a webhook')
  await ada.fits(320)
  await ada.page.setViewportSize({ width: 1280, height: 900 })
}, 300_000)

test('an event that fails is pending, says why, and is sent again by hand', async () => {
  receiver.answer = () => new Response('out of order', { status: 500 })
  const { id: bid_id } = await ada.must('POST', '/api/rest/bid', { bid_name: 'Harbour bridge' })
  await ada.must('POST', '/api/rest/project', { bid_id, project_name: 'Arch' })
  await ada.sees('Its latest attempts have failed')
  await ada.press(/^project\.created/)
  await ada.dialog('project.created')
  await ada.sees('out of order')
  receiver.answer = () => new Response('fine')
  const before = receiver.received.length
  await ada.press('Send again')
  await until(() => receiver.received.length > before)
  await (await ada.dialog('project.created')).getByText('Delivered').waitFor()
  await ada.page.keyboard.press('Escape')
  await ada.noDialog()
}, 300_000)

test('it is disabled, enabled, sent to again, rotated and deleted', async () => {
  await ada.press('Disable')
  await ada.sees('Nothing is sent to it')
  await ada.press('Enable')
  await ada.button('Disable').waitFor()
  const before = receiver.received.length
  await ada.press('Send again …')
  await (await ada.dialog('Send events again')).getByRole('button', { name: 'Send again' }).click()
  await ada.noDialog()
  await until(() => receiver.received.length > before)
  await ada.press('Rotate secret')
  await ada.dialog('Rotate the secret')
  await ada.press('Create new secret')
  await ada.dialog('New signing secret')
  await ada.press('Done')
  await ada.press('Close without copying')
  await ada.sees('Old secret signs until')
  await ada.press('Delete')
  await (await ada.dialog('Delete the webhook?')).getByRole('button', { name: 'Delete' }).click()
  await ada.reaches('Webhooks')
  await ada.sees('No webhooks yet')
}, 300_000)

test('a viewer sees webhooks, and changes none', async () => {
  await ada.must('POST', '/api/webhooks', { url: 'https://example.com/hook' })
  const viewer = await site.member(ada, 'Vera', 'viewer')
  await viewer.go('/webhooks', 'Webhooks')
  await viewer.follow('https://example.com/hook', 'Webhook')
  await viewer.sees('You can look at webhooks, but not change them.')
  await soon(async () => expect(await viewer.button('Delete').getAttribute('aria-disabled')).toBe('true'))
}, 300_000)

test('the pages were quiet, and asked nobody else', () => {
  expect(site.noise).toEqual([])
})
