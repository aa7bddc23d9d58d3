import { beforeAll, expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'

const berlin = { Prefer: 'timezone=Europe/Berlin' }
const [winter, summer] = ['2026-01-10T23:30:00+00:00', '2026-07-10T12:00:00.25+00:00']

onEachEngine('times in another zone', (world) => {
  beforeAll(async () => {
    const { db, id, bid, project } = world.acme
    await db.transact([
      sql`update project set created_at = ${winter}, updated_at = ${summer}, project_name = ${winter} where company_id = ${id} and id = ${project}`,
      sql`update bid set created_at = ${summer}, updated_at = ${winter} where company_id = ${id} and id = ${bid}`,
    ])
  })

  test('are shown at every level, whatever the fields are called, and nothing else is changed', async () => {
    const { json } = await world.acme.get(
      '/project?select=project_name,created_at,made:updated_at,date:created_at::date,bid(created_at,project(created_at:project_name,created:created_at))',
      berlin,
    )
    expect(json).toEqual([
      {
        project_name: winter,
        created_at: '2026-01-11T00:30:00+01:00',
        made: '2026-07-10T14:00:00.25+02:00',
        date: '2026-01-11',
        bid: {
          created_at: '2026-07-10T14:00:00.25+02:00',
          project: [{ created_at: winter, created: '2026-01-11T00:30:00+01:00' }],
        },
      },
    ])
  })

  test('are shown in what is spread, and in the largest of a group', async () => {
    const spread = await world.acme.get('/project?select=...bid(begun:created_at)', berlin)
    expect(spread.json).toEqual([{ begun: '2026-07-10T14:00:00.25+02:00' }])
    const lists = await world.acme.get('/bid?select=...project(project_name,created_at)', berlin)
    expect(lists.json).toEqual([{ project_name: [winter], created_at: ['2026-01-11T00:30:00+01:00'] }])
    const largest = await world.acme.get('/project?select=created_at.max(),count()', berlin)
    expect(largest.json).toEqual([{ max: '2026-01-11T00:30:00+01:00', count: 1 }])
  })

  test('have an entity tag of their own, which changes with the rows and opens the same change', async () => {
    const path = `/project?id=eq.${world.acme.project}`
    const tagOf = async (headers: Record<string, string>) =>
      (await world.acme.get(path, headers)).headers.get('ETag') ?? ''
    const tags = [await tagOf({}), await tagOf(berlin), await tagOf({ Prefer: 'timezone=Asia/Tokyo' })]
    expect(new Set(tags).size).toBe(3)
    expect(await tagOf(berlin)).toBe(tags[1] ?? '')
    expect(await tagOf({ Prefer: 'timezone=UTC' })).toBe(tags[0] ?? '')
    const statusOf = async (tag = '', headers = {}) =>
      (await world.acme.get(path, { ...headers, 'If-None-Match': tag })).status
    expect([await statusOf(tags[1], berlin), await statusOf(tags[1]), await statusOf(tags[0], berlin)]).toEqual([
      304, 200, 200,
    ])
    const write = { 'Content-Type': 'application/json', 'If-Match': tags[1] ?? '' }
    const body = JSON.stringify({ project_name: winter })
    expect((await world.acme.send('PATCH', path, write, body)).status).toBe(204)
    expect(await tagOf(berlin)).not.toBe(tags[1])
    await world.db.transact([
      sql`update project set updated_at = ${summer} where company_id = ${world.acme.id} and id = ${world.acme.project}`,
    ])
  })

  test('are shown in every row of a long list and of a long page, and in CSV', async () => {
    const names = Array.from({ length: 2500 }, (_, at) => `${'é"'.repeat(110)}${at}`)
    await world.rival.seed(names)
    for (const limit of ['', '&limit=999']) {
      const path = `/project?select=id,project_name,created_at${limit}`
      const [plain, shown] = [await world.rival.get(path), await world.rival.get(path, berlin)]
      expect(shown.json).toHaveLength(plain.json.length)
      type Row = { readonly id: string; readonly project_name: string; readonly created_at: string }
      expect(
        shown.json.map(({ created_at, ...row }: Row) => ({
          ...row,
          at: Date.parse(created_at),
          zone: created_at.slice(-6),
        })),
      ).toEqual(
        plain.json.map(({ created_at, ...row }: Row) => ({
          ...row,
          at: Date.parse(created_at),
          zone: expect.stringMatching(/\+0[12]:00/),
        })),
      )
      expect(shown.text).not.toContain('+00:00')
      const csv = await world.rival.send('GET', path, { ...berlin, Accept: 'text/csv' })
      expect(csv.text.split('\n')).toHaveLength(plain.json.length + 1)
    }
    expect((await world.acme.get('/project?select=created_at', berlin)).json).toHaveLength(1)
  }, 300_000)
})
