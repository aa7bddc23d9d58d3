import { expect, test } from 'bun:test'
import { updateField } from '../../src/fields/change-field.ts'
import { createField, findField } from '../../src/fields/fields.ts'
import { currentFields, rewriteRows } from '../../src/fields/rewrite-rows.ts'
import { type Settling, settleFields } from '../../src/fields/settle-fields.ts'
import { project } from '../../src/resources/project.ts'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import type { CompanyStore, Database } from '../../src/store/database.ts'
import type { OwnBytes } from '../../src/store/own-bytes.ts'
import { type Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { settleNow } from '../support/settle-now.ts'
import type { Tenant } from '../support/world.ts'

const field = { resource: 'project', name: 'note', type: 'text' }
const ofAll = (bytes: number): OwnBytes => ({ longest: [], others: bytes })

onEachEngine('the rows of a company', (world) => {
  const addRows = (tenant: Tenant, count: number) =>
    tenant.post(
      '/project',
      Array.from({ length: count }, (_, at) => ({ bid_id: tenant.bid, project_name: `P${at}` })),
    )

  /** The versions that the rows of a company were written for. */
  const versions = async (own: CompanyStore) =>
    (await own.read(sql`select distinct fields_version from ${companyRows('project', own)}`)).flat().map(Number)

  test('are rewritten in parts by how long they are', async () => {
    const { acme, db } = world
    await addRows(acme, 5)
    await createField(db, acme.id, { ...field, name: 'first' })
    const own = db.forCompany(acme.id)
    const [[all] = []] = await own.read(sql`select count(*) from ${companyRows('project', own)}`)
    const writesWith = async (bytes: OwnBytes) => {
      await createField(db, acme.id, { ...field, name: `f${Bun.randomUUIDv7().replaceAll('-', '')}` })
      let writes = 0
      const transact: CompanyStore['transact'] = (...work) => {
        writes += 1
        return own.transact(...work)
      }
      const fields = await currentFields(own, project)
      expect(await rewriteRows({ ...own, transact, ownBytesOf: () => bytes }, project, fields)).toBeNull()
      expect(await versions(own)).toEqual([fields.version])
      return writes
    }
    expect(await writesWith(ofAll(300))).toBe(1)
    expect(await writesWith(ofAll(100_000_000))).toBe(Number(all))
  })

  test('are not looked at again where only an index is to be built', async () => {
    const { rival, db } = world
    const { id } = await createField(db, rival.id, field)
    await settleNow(db)
    await updateField(db, { companyId: rival.id, id }, { indexed: true })
    const asked: string[] = []
    await settleNow(watching(db, ({ texts }) => asked.push(texts.join('?'))))
    expect(asked.filter((text) => text.includes('fields_version from "project"'))).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    expect((await findField(db, { companyId: rival.id, id })).indexed_at).not.toBeNull()
  })

  test('keep no other company waiting, and are rewritten from where that has stopped', async () => {
    const { acme, rival, db } = world
    await settleNow(db)
    await addRows(acme, 3)
    const slow = {
      companyId: acme.id,
      id: (await createField(db, acme.id, { ...field, name: 'slow', indexed: true })).id,
    }
    const quick = {
      companyId: rival.id,
      id: (await createField(db, rival.id, { ...field, name: 'quick', indexed: true })).id,
    }
    const stopped: Settling['stopped'] = new Map()
    const report = (error: unknown) => {
      throw error
    }
    const long = withBytes(db, acme.id, ofAll(100_000_000))
    const pass = () => settleFields(long, { report, stopped, pauseMs: 0, sliceMs: -1 })
    await pass()
    expect((await findField(db, quick)).indexed_at).not.toBeNull()
    expect((await findField(db, slow)).indexed_at).toBeNull()
    const behind = [...stopped.values()].map((one) => one.behind)
    await pass()
    expect([...stopped.values()].map((one) => one.behind) > behind).toBe(true)
    while ((await findField(db, slow)).indexed_at === null) await pass()
    expect(stopped.size).toBe(0)
    expect(await versions(db.forCompany(acme.id))).toHaveLength(1)
  })
})

const watching = (db: Database, see: (statement: Sql) => void): Database => ({
  ...db,
  forCompany: (companyId) => {
    const own = db.forCompany(companyId)
    return {
      ...own,
      read: (statement) => {
        see(statement)
        return own.read(statement)
      },
    }
  },
})

const withBytes = (db: Database, companyId: string, bytes: OwnBytes): Database => ({
  ...db,
  forCompany: (id) => (id === companyId ? { ...db.forCompany(id), ownBytesOf: () => bytes } : db.forCompany(id)),
})
