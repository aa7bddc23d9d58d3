import { expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { currentFields, rewriteRows } from '../../src/fields/rewrite-rows.ts'
import { forgetCompany } from '../../src/keys/memory.ts'
import { project } from '../../src/resources/project.ts'
import { companyRows, updateCompanyRows } from '../../src/store/compile/company-rows.ts'
import { integer, type Sql, sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, World } from '../support/world.ts'

onEachEngine('values of a new field', (world) => {
  test('are kept by a rewrite of rows that began before it was added', async () => {
    const { acme, rival, db } = world
    await createField(db, acme.id, { resource: 'project', name: 'first', type: 'text' })
    const own = db.forCompany(acme.id)
    const before = await currentFields(own, project)
    await createField(db, acme.id, { resource: 'project', name: 'second', type: 'text' })
    const path = `/project?id=eq.${acme.project}`
    // Once the new field is known to the credential.
    while ((await acme.patch(path, { first: 'a', second: 'b' })).status === 400) await Bun.sleep(50)
    await rewriteRows(own, project, before)
    expect((await acme.get(`${path}&select=first,second`)).json).toEqual([{ first: 'a', second: 'b' }])
    expect((await rival.get('/project?select=second')).status).toBe(400)
  })

  const writes: readonly [string, (world: World, change: object) => Promise<Reply>][] = [
    ['a PATCH', ({ acme }, change) => acme.patch(`/project?id=eq.${acme.project}`, change)],
    [
      'a PATCH with an Idempotency-Key',
      ({ acme }, change) =>
        acme.patch(`/project?id=eq.${acme.project}`, change, { 'Idempotency-Key': Bun.randomUUIDv7() }),
    ],
    [
      'an upsert',
      ({ acme }, change) =>
        acme.post(
          '/project',
          { id: acme.project, bid_id: acme.bid, project_name: 'merged', ...change },
          { Prefer: 'resolution=merge-duplicates, return=representation' },
        ),
    ],
  ]

  for (const [at, [name, write]] of writes.entries())
    test(`are kept by ${name} of a process that has not heard of it yet`, async () => {
      const { acme, rival, db } = world
      const [known, later] = [`known_${at}`, `later_${at}`]
      await createField(db, acme.id, { resource: 'project', name: known, type: 'text' })
      expect((await write(world, { [known]: 'a' })).status).toBeLessThan(300)
      // As if it were another process: nobody here is told.
      const elsewhere = { ...db }
      await createField(elsewhere, acme.id, { resource: 'project', name: later, type: 'text' })
      const own = elsewhere.forCompany(acme.id)
      const { version } = await currentFields(own, project)
      const fields = sql`${JSON.stringify({ [known]: 'a', [later]: 'b' })}`
      await own.transact([
        sql`${updateCompanyRows('project', own, sql`fields = ${own.dialect.storedJson(fields) as Sql}, fields_version = ${integer(version)}`)} and id = ${acme.project}`,
      ])
      expect((await write(world, { [known]: 'c' })).status).toBeLessThan(300)
      forgetCompany(db, acme.id)
      const { json } = await acme.get(`/project?id=eq.${acme.project}&select=${known},${later}`)
      expect(json).toEqual([{ [known]: 'c', [later]: 'b' }])
      const rows = await own.read(
        sql`select fields_version from ${companyRows('project', own)} and id = ${acme.project}`,
      )
      expect(rows.flat().map(Number)).toEqual([version])
      expect((await rival.get(`/project?select=${later}`)).status).toBe(400)
    })

  test('are kept by a write that never hears of it: it is refused', async () => {
    const { acme, db } = world
    await createField(db, acme.id, { resource: 'bid', name: 'known', type: 'text' })
    const own = db.forCompany(acme.id)
    await own.transact([
      sql`${updateCompanyRows('bid', own, sql`fields_version = ${integer(1_000_000)}`)} and id = ${acme.bid}`,
    ])
    const { status, json, headers } = await acme.patch(`/bid?id=eq.${acme.bid}`, { known: 'a', bid_name: 'No' })
    expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'fields_changed', '1'])
    expect((await acme.get(`/bid?id=eq.${acme.bid}&bid_name=eq.No`)).json).toEqual([])
  })

  test('are not what a cast fails for, whatever its text says', async () => {
    const { acme, db } = world
    await createField(db, acme.id, { resource: 'bid', name: 'cast', type: 'text' })
    const { json: bid } = await acme.post('/bid', { bid_name: 'B' })
    for (const text of ['refused version 7', 'refused transition [x]']) {
      const change = { bid_name: text, cast: 'a' }
      const shown = { Prefer: 'return=representation' }
      const { status, json } = await acme.patch(`/bid?id=eq.${bid.id}&select=bid_name::int`, change, shown)
      expect([status, json.code]).toEqual([400, '22P02'])
    }
  })
})
