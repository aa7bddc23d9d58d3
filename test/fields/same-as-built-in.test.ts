import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { archiveField, restoreField } from '../../src/fields/change-field.ts'
import { createField, listFields } from '../../src/fields/fields.ts'
import { latestResources } from '../../src/fields/own-resources.ts'
import { createCompany } from '../../src/people/companies.ts'
import type { Resource } from '../../src/resources/define.ts'
import type { Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/open.ts'
import { tableScript } from '../../src/store/schema.ts'
import { onEachEngine, type Place } from '../support/engines.ts'
import { settleNow } from '../support/settle-now.ts'
import { type Asked, ask, requests } from './random-requests.ts'

/** The same resources with the company's own columns as columns of their tables. */
function builtIn(own: readonly Resource[]): readonly Resource[] {
  const all: Resource[] = []
  for (const { own: _, takesFields, ...resource } of own) {
    const columns = new Map([...resource.columns].map(([name, { field, ...column }]) => [name, column]))
    const primaryKey = columns.get(resource.primaryKey.name)
    if (primaryKey) all.push({ ...resource, columns, primaryKey, siblings: all })
  }
  return all
}

onEachEngine('own columns and built-in ones', (world, engine) => {
  const places: Place[] = []
  const opened: Database[] = []

  afterAll(async () => {
    for (const db of opened) await db.close()
    for (const place of places) await place.remove()
  })

  /** A database whose tables have the columns. */
  const open = async (all: readonly Resource[], companyId: string): Promise<Database> => {
    const place = await (engine.makeEmpty ?? engine.makePlace)()
    const db = openDatabase({ databaseUrl: place.url, connectionsMax: 2, statementTimeoutMs: 300_000, queueMax: 100 })
    places.push(place)
    opened.push(db)
    const id = engine.name === 'sqlite' ? 'text' : 'uuid'
    const company = `create table company (id ${id} primary key); insert into company values ('${companyId}')`
    await db.migrate({ number: 1, name: 'company', script: company })
    // The sizes of rows are asked for by the names of the tables.
    for (const [at, resource] of all.filter(({ isReadOnly }) => !isReadOnly).entries()) {
      const script = tableScript({ ...resource, takesFields: true }, engine.name)
      await db.migrate({ number: at + 2, name: resource.name, script })
    }
    return db
  }

  test('answer every request alike', async () => {
    const random = { numRuns: 6, seed: 19, endOnFailure: true }
    await fc.assert(
      fc.asyncProperty(requests, async ({ fields, asked }) => {
        const { id: companyId } = await createCompany(world.db, 'Alike')
        for (const field of fields) await createField(world.db, companyId, field)
        const own = { db: world.db, companyId, all: await latestResources(world.db, companyId) }
        const all = builtIn(own.all)
        const other = { db: await open(all, companyId), companyId, all }
        for (const [at, one] of asked.entries()) {
          await disturb(companyId, at)
          const now = { ...own, all: await latestResources(world.db, companyId) }
          expect([one, await ask(now, one)]).toEqual([one, await ask(other, one)] as [Asked, unknown])
        }
      }),
      random,
    )
  }, 240_000)

  /** What changes how rows are stored, and nothing that they show. */
  const disturb = async (companyId: string, at: number): Promise<void> => {
    if (at % 15 === 7) await settleNow(world.db)
    if (at % 15 !== 4) return
    const [field] = (await listFields(world.db, companyId)).filter(({ resource }) => resource === 'project').slice(-1)
    if (!field) return
    await archiveField(world.db, { companyId, id: field.id })
    if (at % 2 === 0) await settleNow(world.db)
    await restoreField(world.db, { companyId, id: field.id })
  }
})
