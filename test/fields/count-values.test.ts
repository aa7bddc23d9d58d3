import { expect, test } from 'bun:test'
import { countValues } from '../../src/fields/count-values.ts'
import type { Companies, CompanyStore, Rows } from '../../src/store/database.ts'
import { onEachEngine } from '../support/engines.ts'
import { addFields } from './support.ts'

onEachEngine('the values of fields', (world) => {
  test('are not counted in the thread that serves where rows are long, or many with many fields', async () => {
    const { acme, db } = world
    await addFields(acme, 'project')
    const shortest = await waysOf(db, acme.id, {})
    expect(shortest).toEqual(['read', 'read'])
    const manyRows = await waysOf(db, acme.id, { sizeOf: () => 5000 })
    expect(manyRows).toEqual(['read', 'long'])
    const longRows = await waysOf(db, acme.id, {
      ownBytesOf: () => ({ longest: [], others: 192_000 }),
      sizeOf: () => 50,
    })
    expect(longRows).toEqual(['read', 'long'])
  })
})

/** How the fields and then their values are read. */
async function waysOf(db: Companies, companyId: string, known: Partial<CompanyStore>): Promise<string[]> {
  const own = db.forCompany(companyId)
  const ways: string[] = []
  const noted =
    (way: string, read: (statement: Parameters<CompanyStore['read']>[0]) => ReturnType<CompanyStore['read']>) =>
    (statement: Parameters<CompanyStore['read']>[0]): Rows | Promise<Rows> => {
      ways.push(way)
      return read(statement)
    }
  const watched: CompanyStore = {
    ...own,
    read: noted('read', own.read),
    readLong: noted('long', own.readLong),
    ...known,
  }
  await countValues({ ...db, forCompany: () => watched }, companyId)
  return ways
}
