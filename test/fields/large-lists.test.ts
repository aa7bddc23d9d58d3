import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { engines } from '../support/engines.ts'
import { recording } from '../support/recording.ts'
import { settleNow } from '../support/settle-now.ts'
import { inTime, World } from '../support/world.ts'
import { addFields } from './support.ts'

/** Together more than a page holds. */
const count = 250
const names = Array.from({ length: 8 }, (_, at) => `text_${at}`)
const long = Object.fromEntries(names.map((name) => [name, 'ä'.repeat(4000)]))

for (const engine of engines)
  describe(`a list of large rows (${engine.name})`, () => {
    const sent: string[] = []
    const world = new World({}, (db) => recording(db, ({ text }) => sent.push(text)))
    beforeAll(async () => {
      await world.open(engine)
      const { acme, rival } = world
      const fields = names.map((name) => ({ name, type: 'text', rules: { max_length: 4000 } }))
      await addFields(acme, 'project', fields)
      await settleNow(world.db)
      const rows = Array.from({ length: count }, (_, at) => ({ bid_id: acme.bid, project_name: `P ${at}`, ...long }))
      for (let at = 0; at < count; at += 50) {
        const create = () => acme.post('/project', rows.slice(at, at + 50), { Prefer: 'return=minimal' })
        expect((await inTime(create)).status).toBe(201)
      }
      await acme.delete(`/project?id=eq.${acme.project}`)
      expect((await rival.get('/project?select=project_name')).json).toHaveLength(1)
    }, 300_000)
    afterAll(() => world.close())

    test.each([
      ['in the order of keys', '/project', 'id'],
      ['in another order', '/project?order=project_name.desc', 'project_name'],
    ])('has each row once, whole, %s, and looks at few in vain', async (_, path, column) => {
      sent.length = 0
      const { status, json } = await world.acme.get(path)
      expect([status, json.length]).toEqual([200, count])
      const keys = json.map((row: Record<string, string>) => row[column])
      expect(keys).toEqual(column === 'id' ? keys.toSorted() : keys.toSorted().reverse())
      expect(new Set(keys).size).toBe(count)
      for (const row of json) expect(row.text_7).toBe(long.text_7)
      // Elsewhere, reading stops at the last row that fits.
      const looked = sent.filter((text) => text.includes('octet_length(text)')).map((text) => limitOf(text))
      if (engine.name === 'postgres') expect(looked.length).toBeGreaterThan(2)
      expect(looked.reduce((sum, limit) => sum + limit, 0)).toBeLessThan(6 * count)
    })

    test('whose first row is too long to be converted is refused, not cut off', async () => {
      const path = '/bid?select=id,project(*)&project.limit=80'
      const inTokyo = { Prefer: 'timezone=Asia/Tokyo' }
      const { status, json } = await world.acme.get(path, inTokyo)
      expect([status, json.code, json.message]).toEqual([400, '54000', expect.stringContaining('2 MiB of one row')])
      expect((await world.rival.get(path, inTokyo)).status).toBe(200)
    })
  })

const limitOf = (text: string): number => Number(/.* limit (\d+)/s.exec(text)?.[1])
