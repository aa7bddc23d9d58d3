import { expect, test } from 'bun:test'
import { updateField } from '../../src/fields/change-field.ts'
import { listFields } from '../../src/fields/fields.ts'
import { bytesOfLongest, bytesOfRows, shortRows } from '../../src/store/own-bytes.ts'
import { onEachEngine } from '../support/engines.ts'
import { addFields } from './support.ts'

const texts = ['a', 'b', 'c'].map((name) => ({ name, type: 'text', rules: { max_length: 4000 } }))

onEachEngine('long rows', (world, engine) => {
  test('are known by their length as soon as they are written, and no limit is lowered below it', async () => {
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
    const [field] = await listFields(db, acme.id)
    const lower = (most: number) =>
      updateField(db, { companyId: acme.id, id: field?.id ?? '' }, { rules: { max_length: most } })
    await expect(lower(3999)).rejects.toThrow('There are rows with more than 3999 characters in "a"')
    await acme.delete('/project?project_name=eq.Long')
    expect((await lower(3999)).rules.max_length).toBe(3999)
    expect(await own.ownBytesOf('project')).toEqual(shortRows)
  })
})
