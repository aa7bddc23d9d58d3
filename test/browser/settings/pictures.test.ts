import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { demoBids, demoChanges, demoFields } from '../../../src/cli/demo-data.ts'
import { timestampText } from '../../../src/types/timestamp-text.ts'
import { until } from '../../support/service.ts'
import { soon } from './soon.ts'
import { Site } from './support.ts'
import { textOf, type Visitor } from './visitor.ts'

const docs = join(import.meta.dir, '../../../docs')
const bytesMax = 120_000

test('the guide shows every picture, each one small', async () => {
  const guide = await Bun.file(join(docs, 'settings.md')).text()
  const shown = [...guide.matchAll(/\]\(pictures\/([a-z-]+\.png)\)/g)].map(([, name]) => name ?? '')
  expect((await readdir(join(docs, 'pictures'))).sort()).toEqual(shown.toSorted())
  expect(shown.toSorted()).toEqual(
    Object.keys(pictures)
      .map((name) => `${name}.png`)
      .sort(),
  )
  for (const name of shown) expect(Bun.file(join(docs, 'pictures', name)).size).toBeLessThan(bytesMax)
})

test('the guide names every page and setting that people meet', async () => {
  const guide = await Bun.file(join(docs, 'settings.md')).text()
  const names = ['SIGNUP', 'SMTP_URL', 'user create', 'user reset-password', 'BASE_URL']
  for (const name of [
    ...names,
    'Overview',
    'Credentials',
    'Requests',
    'Projects',
    'Bids',
    'Members',
    'Activity',
    'Company',
    'Account',
  ])
    expect(guide).toContain(name)
})

// The pictures change with every run, so they are taken only when somebody asks for it.
if (process.env.PICTURES === '1') {
  test('takes the pictures', takeAll, 300_000)
}

/** What each picture shows, beginning from any page. */
const pictures: Readonly<Record<string, (ada: Visitor) => Promise<void>>> = {
  overview: async (ada) => {
    await ada.go('/', 'Overview')
    await ada.page.locator('.chart .bar-ok').first().waitFor()
  },
  'new-credential': async (ada) => {
    await ada.go('/credentials', 'Credentials')
    await ada.press('New credential')
    await ada.fill({ Name: 'Delivery tracker' })
    await ada.page.getByRole('radio', { name: 'Read-write' }).check()
  },
  secret: async (ada) => {
    await ada.go('/credentials', 'Credentials')
    await ada.press('New credential')
    await ada.fill({ Name: 'Delivery tracker' })
    await ada.press('Create credential')
    await ada.page.getByTestId('api-secret').waitFor()
  },
  credentials: async (ada) => {
    await ada.go('/credentials', 'Credentials')
    await ada.row('Nightly report').waitFor()
  },
  rotation: async (ada) => {
    await ada.go('/credentials', 'Credentials')
    await ada.follow('Nightly report', 'Nightly report')
    await ada.page.getByRole('heading', { name: 'Rotation under way' }).waitFor()
  },
  requests: async (ada) => {
    await ada.go('/requests', 'Requests')
    await ada.page.getByRole('button', { name: /projectname/ }).click()
    await (await ada.dialog('Request')).getByText('How to fix it:').waitFor()
  },
  projects: async (ada) => {
    await ada.go('/projects', 'Projects')
    await ada.press('Show as API call')
    await ada.row('Steel deck').waitFor()
  },
  bids: async (ada) => {
    await ada.go('/bids', 'Bids')
    await ada.row('Harbour bridge').waitFor()
  },
  board: async (ada) => {
    await ada.go('/projects?board=status', 'Projects')
    await ada.button('Move Steel deck by the arrow keys').waitFor()
  },
  fields: async (ada) => {
    await ada.go('/fields', 'Fields')
    await ada.page.getByText('Contract value').first().waitFor()
  },
  webhooks: async (ada) => {
    await ada.go('/webhooks', 'Webhooks')
    await ada.row('project.created').waitFor()
  },
  members: async (ada) => {
    await ada.go('/members', 'Members')
    await ada.row('olga@example.com').waitFor()
  },
  activity: async (ada) => {
    await ada.go('/activity', 'Activity')
    await ada.row('created the company').waitFor()
  },
  company: (ada) => ada.go('/company', 'Company'),
  account: async (ada) => {
    await ada.go('/account', 'Account')
    await ada.row('This device').waitFor()
  },
}

const usualSize = { width: 1000, height: 700 }
const sizes: Readonly<Record<string, typeof usualSize>> = {
  overview: { width: 1000, height: 960 },
  credentials: { width: 1220, height: 560 },
  'new-credential': { width: 1000, height: 860 },
  projects: { width: 1280, height: 640 },
  board: { width: 1100, height: 620 },
  fields: { width: 1000, height: 760 },
  webhooks: { width: 1100, height: 420 },
}

async function takeAll(): Promise<void> {
  const site = await Site.open({ WEBHOOK_LOOPBACK: 'on' })
  const receiver = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  try {
    const ada = await site.owner('Ada Lovelace', 'Acme Bridges')
    await ada.must('POST', '/api/webhooks', {
      url: `http://127.0.0.1:${receiver.port}/hooks/projects`,
      types: ['project.created', 'project.updated'],
    })
    await ada.page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' })
    await fill(site, ada)
    for (const [name, show] of Object.entries(pictures)) {
      await ada.page.setViewportSize(sizes[name] ?? usualSize)
      await show(ada)
      await ada.page.getByText('Loading…').first().waitFor({ state: 'detached' })
      await ada.page.mouse.move(0, 0)
      const path = join(docs, 'pictures', `${name}.png`)
      await ada.page.screenshot({ path, animations: 'disabled', caret: 'hide' })
      if (name === 'secret') await leaveSecret(ada)
    }
  } finally {
    await receiver.stop(true)
    await site.close()
  }
}

async function leaveSecret(ada: Visitor): Promise<void> {
  await ada.press('Done')
  await ada.press('Close without copying')
  await ada.noDialog()
  await soon(async () => expect(await textOf(ada.row('Delivery tracker'))).toContain('Never used'))
}

/** A company that has been at work for a month. */
async function fill(site: Site, ada: Visitor): Promise<void> {
  const soon = new Date(Date.now() + 9 * 86_400_000).toISOString()
  const issue = (name: string, access: string, expires_at: string | null = null) =>
    ada.must('POST', '/api/credentials', { name, access, expires_at })
  const report = await issue('Nightly report', 'read-write')
  const board = await issue('Dashboard', 'read', soon)
  const old = await issue('Import of 2025', 'read-write')
  for (const field of demoFields) await ada.must('POST', '/api/fields', field)
  for (const { bid, projects } of demoBids) {
    const { id: bid_id } = await ada.must('POST', '/api/rest/bid', bid)
    for (const project of projects) await ada.must('POST', '/api/rest/project', { bid_id, ...project })
  }
  for (const { query, change } of demoChanges) await ada.must('PATCH', `/api/rest/project?${query}`, change)
  await ada.must('POST', '/api/invitations', { email: 'olga@example.com', role: 'developer' })
  await site.member(ada, 'Grace', 'developer')
  await site.member(ada, 'Vera', 'viewer')
  const rotated = await ada.must('POST', `/api/credentials/${report.id}/rotate`, { grace_seconds: 86_400 })
  await ada.must('POST', `/api/credentials/${old.id}/revoke`, {})
  age(site, [report, board])
  await site.call({ ...report })
  await site.call({ ...report, api_secret: rotated.api_secret })
  await site.call(board)
  await site.call(report, 'GET', '/project?select=id,project_name&projectname=eq.Gymnasium')
  const used = async ({ id }: { id: string }) => (await ada.must('GET', `/api/credentials/${id}`)).last_used !== null
  await until(async () => (await used(report)) && (await used(board)))
}

const hourMs = 3_600_000

/** Requests of the last thirty days, as the program would have counted them. */
function age(site: Site, credentials: readonly { id: string; secrets: readonly { id: string }[] }[]): void {
  const db = new Database(join(site.folder, 'project-api.db'))
  const add = db.query(
    'insert into credential_usage (company_id, credential_id, secret_id, hour, outcome, requests) select company_id, id, ?, ?, ?, ? from credential where id = ?',
  )
  for (const [at, { id, secrets }] of credentials.entries()) {
    for (let hours = 2; hours < 30 * 24; hours += 6) {
      const hour = timestampText(new Date(Math.floor(Date.now() / hourMs - hours) * hourMs))
      const wave = 40 + Math.round(25 * Math.sin(hours / 26) + 14 * Math.cos(hours / 7 + at))
      add.run(secrets[0]?.id ?? '', hour, 'ok', wave, id)
      if (hours % 42 === 2) add.run('', hour, 'refused', 6, id)
      if (at === 1 && hours > 96 && hours < 150) add.run('', hour, 'not_scoped', 4, id)
    }
  }
  db.close()
}
