import { expect, test } from 'bun:test'
import { bytesOfLongest, bytesOfRows, shortRows } from '../../src/store/own-bytes.ts'
import { onEachEngine } from '../support/engines.ts'
import { addFields } from './support.ts'

const texts = ['a', 'b', 'c'].map((name) => ({ name, type: 'text', rules: { max_length: 4000 } }))

onEachEngine('long rows', (world, engine) => {
  test('are known by their length as soon as they are written, where they would keep our own thread busy', async () => {
    const { acme, rival, db } = world
    await addFields(acme, 'project', texts)
    const own = db.forCompany(acme.id)
    expect(await own.ownBytesOf('project')).toEqual(shortRows)
    const row = { bid_id: acme.bid, project_name: 'Long', a: 'x'.repeat(4000), b: 'x'.repeat(1000) }
    while ((await acme.post('/project', [row, { ...row, b: null }])).status === 400) await Bun.sleep(50)
    const long = await own.ownBytesOf('project')
    if (engine.name === 'sqlite') {
      expect(bytesOfLongest(long)).toBeGreaterThan(5000)
      expect(bytesOfRows(long, 2)).toBeGreaterThan(9000)
      expect(bytesOfRows(long, 12)).toBe(bytesOfRows(long, 2) + 10 * shortRows.others)
    } else expect(long).toEqual(shortRows)
    await acme.patch('/project?project_name=eq.Long', { c: 'x'.repeat(4000) })
    const longer = await own.ownBytesOf('project')
    if (engine.name === 'sqlite') expect(bytesOfLongest(longer)).toBeGreaterThan(9000)
    expect(await db.forCompany(rival.id).ownBytesOf('project')).toEqual(shortRows)
    await acme.delete('/project?project_name=eq.Long')
    expect(await own.ownBytesOf('project')).toEqual(shortRows)
  })
})
