import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { likeBrowser, Site } from './support.ts'
import type { Visitor } from './visitor.ts'

let site: Site
let ada: Visitor
/** Every secret that was issued, however. */
const issued: string[] = []
/** Everything that the server answered to the page and to the applications, but for the answers that issue a secret. */
const answers: { readonly from: string; readonly text: string }[] = []

beforeAll(async () => {
  site = await Site.open()
  ada = await site.owner()
  await ada.mayUseClipboard()
  ada.page.on('response', async (response) => {
    const text = await response.text().catch(() => '')
    if (response.status() !== 201 && !response.url().endsWith('/rotate')) answers.push({ from: response.url(), text })
  })
  await runThrough()
}, 300_000)

afterAll(() => site?.close())

/** A secret's whole life in the browser, and every way to send it, right or wrong. */
async function runThrough(): Promise<void> {
  await ada.go('/credentials', 'Credentials')
  await ada.press('Create your first credential')
  const first = await ada.issue('Nightly report')
  issued.push(first.api_secret)
  for (const tab of ['supabase-js', 'fetch', 'Python']) await ada.page.getByRole('tab', { name: tab }).click()
  await ada.copy('Copy both as .env')
  await ada.press('Done')
  await ada.noDialog()
  await ada.follow('Nightly report', 'Nightly report')
  await ada.press('Rotate secret')
  await ada.press('Create new secret')
  await ada.dialog('New secret of Nightly report')
  const second = await ada.shownKeys()
  issued.push(second.api_secret)
  await ada.copy('Copy secret')
  await ada.press('Next: watch the traffic')
  await ada.noDialog()
  await sendEverywhere(first)
  await sendEverywhere(second)
  const made = await site.command('credential', 'create', '--company', 'Acme', '--name', 'From a terminal')
  issued.push(made.api_secret ?? '')
  await sendEverywhere({ api_key: made.api_key ?? '', api_secret: made.api_secret ?? '' })
  for (const [path, heading] of pages) await ada.go(path, heading)
}

const pages = [
  ['/', 'Overview'],
  ['/credentials', 'Credentials'],
  ['/activity', 'Activity'],
  ['/projects', 'Projects'],
] as const

/** In the places where people put secrets, and in those where they should not. */
async function sendEverywhere(keys: { readonly api_key: string; readonly api_secret: string }): Promise<void> {
  const { api_secret: secret } = keys
  const joined = `${keys.api_key}.${secret}`
  const sent = await Promise.all([
    site.call(keys),
    site.call(keys, 'POST', '/bid', { body: { bid_name: 'Dam' } }),
    site.call(keys, 'GET', '/project', likeBrowser),
    site.call({ ...keys, api_key: secret }),
    site.call({ api_key: joined }),
    site.call({ api_key: joined }, 'GET', '/project', likeBrowser),
    site.call(keys, 'GET', `/project?select=${joined}`),
    site.call({ api_key: keys.api_key }, 'GET', '/project', { headers: { Authorization: `Bearer ${secret}` } }),
    site.call(keys, 'GET', '/project', { headers: { 'User-Agent': `app ${secret}` } }),
    site.call(keys, 'GET', `/project?apikey=${secret}`),
    site.call(keys, 'GET', `/${secret}`),
    site.call(keys, 'GET', '/project', { headers: { Prefer: secret } }),
  ])
  for (const { text, headers } of sent) {
    answers.push({ from: 'the API', text: text + JSON.stringify(Object.fromEntries(headers)) })
  }
}

/** The names of those that hold a secret, or the part of one by which it could be guessed. */
function holdersOf(texts: Iterable<readonly [string, string]>): string[] {
  const marks = issued.flatMap((secret) => [secret, secret.slice(4, -6)])
  return [...texts].filter(([, text]) => marks.some((mark) => text.includes(mark))).map(([name]) => name)
}

test('three secrets were issued, each another', () => {
  expect(new Set(issued).size).toBe(3)
  for (const secret of issued) expect(secret).toMatch(/^pas_\w{20,}$/)
})

test('no secret is in what the program wrote', async () => {
  expect(site.service.stdout).toContain('"/rest/v1/')
  const logs: [string, string][] = [
    ['stdout', site.service.stdout],
    ['stderr', site.service.stderr],
  ]
  expect(holdersOf(logs)).toEqual([])
})

test('no secret is in an address that the browser asked for', () => {
  expect(site.requested.length).toBeGreaterThan(20)
  expect(holdersOf(site.requested.map((url) => [url, decodeURIComponent(url)]))).toEqual([])
})

test('no secret is in a second answer', async () => {
  const more = await ada.must('GET', '/api/credentials')
  for (const { id } of more) {
    const { text } = await ada.ask('GET', `/api/credentials/${id}`)
    answers.push({ from: id, text })
  }
  for (const path of ['/api/credentials', '/api/overview', '/api/activity', '/api/activity.csv', '/api/session']) {
    answers.push({ from: path, text: (await ada.ask('GET', path)).text })
  }
  expect(answers.length).toBeGreaterThan(30)
  expect(holdersOf(answers.map(({ from, text }) => [from, text]))).toEqual([])
})

test('no secret is on the page after its dialog, nor anywhere that the browser keeps', async () => {
  const kept = await ada.page.evaluate<Record<string, string>>(`(async () => {
    const databases = await indexedDB.databases()
    const caches = await globalThis.caches.keys()
    return {
      page: document.documentElement.outerHTML,
      local: JSON.stringify({ ...localStorage }),
      session: JSON.stringify({ ...sessionStorage }),
      cookies: document.cookie,
      state: JSON.stringify(history.state) + location.href + name,
      databases: JSON.stringify(databases),
      caches: JSON.stringify(caches),
    }
  })()`)
  expect(holdersOf(Object.entries(kept))).toEqual([])
  expect([kept.databases, kept.caches]).toEqual(['[]', '[]'])
  const state = JSON.stringify(await ada.context.storageState({ indexedDB: true }))
  expect(holdersOf([['storage', state]])).toEqual([])
})

test('no secret is in a file of the database, while it runs and after it has stopped', async () => {
  expect(await stored()).toContain('project-api.db-wal')
  expect(holdersOf(await files())).toEqual([])
  expect(site.noise).toEqual([])
  await site.service.stop()
  expect(await stored()).toContain('project-api.db')
  expect(holdersOf(await files())).toEqual([])
}, 300_000)

const stored = (): Promise<string[]> => readdir(site.folder)

async function files(): Promise<[string, string][]> {
  const read = async (name: string): Promise<[string, string]> => {
    const bytes = await Bun.file(join(site.folder, name)).bytes()
    return [name, Buffer.from(bytes).toString('latin1')]
  }
  return Promise.all((await stored()).map(read))
}
