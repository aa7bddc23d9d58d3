import { beforeAll, expect, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'

const rows = 1500

onEachEngine('a page of more rows than fit into memory at once', (world) => {
  beforeAll(async () => {
    await world.acme.seed(Array.from({ length: rows - 1 }, (_, at) => `Project ${at}`))
  })

  test('tells its range and the next page where there is one', async () => {
    const { headers, json } = await world.acme.get('/project?select=id&limit=1200')
    expect(json).toHaveLength(1200)
    expect(headers.get('Content-Range')).toBe('0-1199/*')
    expect(headers.get('Link')).toBe('</rest/v1/project?select=id&limit=1200&offset=1200>; rel="next"')
  })

  test('claims no range and no next page where the rows end before it', async () => {
    const { headers, json } = await world.acme.get('/project?select=id&limit=5000')
    expect(json).toHaveLength(rows)
    expect([headers.get('Content-Range'), headers.get('Link')]).toEqual([null, null])
  })

  test('tells its range where the rows were counted', async () => {
    const { status, headers } = await world.acme.get('/project?select=id&limit=5000', { Prefer: 'count=exact' })
    expect([status, headers.get('Content-Range')]).toEqual([200, `0-${rows - 1}/${rows}`])
    const part = await world.acme.get('/project?select=id&limit=1100&offset=100', { Prefer: 'count=exact' })
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `100-1199/${rows}`])
  })

  test('is walked through from link to link, each row once and none of another company', async () => {
    const seen: string[] = []
    let next: string | null = '/project?select=id&limit=600'
    while (next) {
      const { headers, json } = await world.acme.get(next)
      seen.push(...json.map(({ id }: { id: string }) => id))
      next = /^<\/rest\/v1([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1] ?? null
    }
    expect([seen.length, new Set(seen).size, seen.includes(world.rival.project)]).toEqual([rows, rows, false])
  })
})
