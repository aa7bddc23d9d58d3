import { expect, test } from 'bun:test'
import { createField } from '../../src/fields/fields.ts'
import { currentFields, rewriteRows } from '../../src/fields/rewrite-rows.ts'
import { project } from '../../src/resources/project.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('a rewrite of rows', (world) => {
  test('that began before a field was added keeps what was written to it meanwhile', async () => {
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
})
