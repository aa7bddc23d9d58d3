import { expect, test } from 'bun:test'
import { archiveField, reorderFields, restoreField, updateField } from '../../src/fields/change-field.ts'
import { countValues } from '../../src/fields/count-values.ts'
import { createField, findField, listFields } from '../../src/fields/fields.ts'
import { parseDefinition } from '../../src/fields/parse-definition.ts'
import { reservedNames } from '../../src/fields/reserved-names.ts'
import { createCompany } from '../../src/people/companies.ts'
import { resources } from '../../src/resources/index.ts'
import { companyRows } from '../../src/store/compile/company-rows.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'

const status = {
  resource: 'project',
  name: 'status',
  type: 'choice',
  choices: ['lead', { value: 'won', color: 'green' }, 'lost'],
  initial: 'lead',
  transitions: { lead: ['won', 'lost'] },
}

test('docs/fields.md has the reserved names, and no other', async () => {
  const page = await Bun.file(new URL('../../docs/fields.md', import.meta.url)).text()
  const [, section = ''] = /## Names that are reserved\n([\s\S]*?)\n## /.exec(page) ?? []
  expect([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...reservedNames])
})

test('every built-in column of a resource that takes fields has a reserved name', () => {
  const taking = resources.filter(({ takesFields }) => takesFields)
  expect(taking.length).toBeGreaterThan(0)
  const free = taking.flatMap(({ columns }) => [...columns.keys()].filter((name) => !reservedNames.includes(name)))
  expect(free).toEqual([])
})

onEachEngine('the definition of a field', (world) => {
  const company = async (): Promise<string> => (await createCompany(world.db, 'Fields')).id

  test('is stored with all that was left out', async () => {
    const companyId = await company()
    const made = await createField(world.db, companyId, status)
    expect(made).toMatchObject({
      ...{ resource: 'project', name: 'status', label: 'Status', type: 'choice', position: 1 },
      ...{ required: false, default_value: null, rules: {}, initial: 'lead', start: 'initial', indexed: false },
      choices: [
        { value: 'lead', label: 'lead', color: 'gray', closed: false },
        { value: 'won', label: 'won', color: 'green', closed: false },
        { value: 'lost', label: 'lost', color: 'gray', closed: false },
      ],
      transitions: { lead: ['won', 'lost'] },
      archived_at: null,
    })
    expect(await listFields(world.db, companyId)).toEqual([made])
  })

  test('is not seen by another company', async () => {
    const made = await createField(world.db, await company(), status)
    const other = await company()
    expect(await listFields(world.db, other)).toEqual([])
    await expect(findField(world.db, { companyId: other, id: made.id })).rejects.toThrow('There is no such field')
    await expect(updateField(world.db, { companyId: other, id: made.id }, { label: 'Mine' })).rejects.toThrow(
      'no such field',
    )
  })

  test.each([
    [{ name: 'created_at' }, 'cannot be called'],
    [{ name: 'bid' }, 'cannot be called'],
    [{ name: 'project_bid_id_fkey' }, 'cannot be called'],
    [{ name: 'Status' }, 'cannot be the name'],
    [{ resource: 'company' }, 'no resource'],
    [{ type: 'uuid' }, 'no type'],
    [{ choices: undefined }, 'needs values'],
    [{ choices: ['a', 'a'] }, 'twice'],
    [{ initial: 'none' }, 'no open choice'],
    [{ initial: undefined }, 'needs an initial value'],
    [{ default_value: 'lead' }, 'initial value is the default'],
    [{ transitions: { lead: ['gone'] } }, 'no choice'],
    [{ rules: { max_length: 3 } }, 'has no "max_length"'],
    [{ size: 3 }, 'has no "size"'],
  ])('is refused with %j', async (part, words) => {
    await expect(createField(world.db, world.acme.id, { ...status, ...part })).rejects.toThrow(words)
  })

  test('has values that fit its type', async () => {
    const field = { resource: 'bid', name: 'amount', type: 'decimal' }
    for (const part of [
      { default_value: 'much' },
      { rules: { minimum: 'x' } },
      { default_value: 1, rules: { minimum: 2 } },
    ])
      await expect(createField(world.db, world.acme.id, { ...field, ...part })).rejects.toThrow('does not fit')
    const turned = { ...field, rules: { minimum: 10, maximum: 9 } }
    await expect(createField(world.db, world.acme.id, turned)).rejects.toThrow('least value is greater')
  })

  test('has a default and a range that are the same for every row', async () => {
    const field = { resource: 'bid', name: 'opened', type: 'timestamp' }
    for (const part of [
      { default_value: 'now' },
      { rules: { minimum: 'Today' } },
      { type: 'date', default_value: 'tomorrow' },
    ])
      await expect(createField(world.db, world.acme.id, { ...field, ...part })).rejects.toThrow(
        'another time for each row',
      )
    expect(parseDefinition({ ...field, type: 'text', default_value: 'now' }).default_value).toBe('now')
  })

  test('has a name of its own, even while it is archived', async () => {
    const companyId = await company()
    const { id } = await createField(world.db, companyId, status)
    await expect(createField(world.db, companyId, status)).rejects.toThrow('already')
    await archiveField(world.db, { companyId, id })
    await expect(createField(world.db, companyId, status)).rejects.toThrow('already')
    await expect(updateField(world.db, { companyId, id }, { label: 'New' })).rejects.toThrow('archived')
    expect(await restoreField(world.db, { companyId, id })).toMatchObject({ archived_at: null })
    expect(await createField(world.db, companyId, { ...status, resource: 'bid' })).toMatchObject({ name: 'status' })
  })

  test('changes, but for its name and its type', async () => {
    const companyId = await company()
    const { id } = await createField(world.db, companyId, status)
    const ref = { companyId, id }
    expect(await updateField(world.db, ref, { label: 'State', required: true })).toMatchObject({
      label: 'State',
      required: true,
    })
    expect(await updateField(world.db, ref, { choices: ['lead', 'won'], transitions: null })).toMatchObject({
      transitions: null,
    })
    await expect(updateField(world.db, ref, { name: 'state' })).rejects.toThrow('name of a field cannot change')
    await expect(updateField(world.db, ref, { type: 'text' })).rejects.toThrow('type of a field cannot change')
  })

  test('leaves room for the others in a row, and for those that are archived', async () => {
    const companyId = await company()
    const long = (at: number) => ({ resource: 'bid', name: `long${at}`, type: 'text', rules: { max_length: 4000 } })
    for (let at = 0; at < 8; at += 1) await createField(world.db, companyId, long(at))
    await expect(createField(world.db, companyId, long(8))).rejects.toThrow('at most 196608 bytes')
    const [first] = await listFields(world.db, companyId)
    const ref = { companyId, id: first?.id ?? '' }
    await updateField(world.db, ref, { rules: { max_length: 100 } })
    await createField(world.db, companyId, { ...long(8), rules: { max_length: 3000 } })
    await expect(updateField(world.db, ref, { rules: { max_length: 4000 } })).rejects.toThrow('at most 196608 bytes')
    for (let at = 0; at < 119; at += 1) {
      const { id } = await createField(world.db, companyId, { resource: 'bid', name: `old${at}`, type: 'boolean' })
      await archiveField(world.db, { companyId, id })
    }
    const another = { resource: 'bid', name: 'another', type: 'boolean' }
    await expect(createField(world.db, companyId, another)).rejects.toThrow(
      'at most 128 fields, with the archived ones',
    )
  })

  test('count towards the longest row while they are archived', async () => {
    const companyId = await company()
    const generation = (at: number) =>
      Array.from({ length: 8 }, (_, i) => ({
        ...{ resource: 'bid', name: `long${at}_${i}`, type: 'text', rules: { max_length: 4000 } },
      }))
    const ids: string[] = []
    for (const long of [...generation(0), ...generation(1)]) {
      const { id } = await createField(world.db, companyId, long)
      ids.push(id)
      await archiveField(world.db, { companyId, id })
    }
    const [one = ''] = ids
    const another = createField(world.db, companyId, generation(2)[0] ?? {})
    await expect(another).rejects.toThrow('at most 393216 bytes in the fields of one row, with the archived ones')
    await restoreField(world.db, { companyId, id: one })
    expect((await findField(world.db, { companyId, id: one })).archived_at).toBeNull()
  })

  test('is one of at most 64, and of 8 with an index, however many are created at once', async () => {
    const companyId = await company()
    const create = (at: number) =>
      createField(world.db, companyId, { resource: 'bid', name: `f${at}`, type: 'integer', indexed: at < 10 })
    const made = await Promise.allSettled(Array.from({ length: 70 }, (_, at) => create(at)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(64)
    const fields = await listFields(world.db, companyId)
    expect(fields.filter(({ indexed }) => indexed)).toHaveLength(8)
    expect(new Set(fields.map(({ position }) => position)).size).toBe(64)
  })

  test('has a place among the others', async () => {
    const companyId = await company()
    const make = (name: string) => createField(world.db, companyId, { resource: 'bid', name, type: 'text' })
    const [a, b, c] = [await make('a'), await make('b'), await make('c')]
    await reorderFields(world.db, { companyId, resource: 'bid', ids: [c.id, a.id, b.id] })
    expect((await listFields(world.db, companyId)).map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    await expect(reorderFields(world.db, { companyId, resource: 'bid', ids: [c.id] })).rejects.toThrow(
      'every field once',
    )
  })

  test('tells how many rows have a value', async () => {
    const { id } = await createField(world.db, world.acme.id, { resource: 'project', name: 'site', type: 'text' })
    expect(await countValues(world.db, world.acme.id)).toEqual({ [id]: 0 })
  })

  test('leaves a record of each change', async () => {
    const companyId = await company()
    const { id } = await createField(world.db, companyId, status)
    await updateField(world.db, { companyId, id }, { label: 'State' })
    await updateField(world.db, { companyId, id }, { label: 'State' })
    await archiveField(world.db, { companyId, id })
    await restoreField(world.db, { companyId, id })
    const own = world.db.forCompany(companyId)
    const events = await own.read(sql`select action, target from ${companyRows('audit_event', own)} order by id`)
    const actions = ['company.created', 'field.created', 'field.changed', 'field.archived', 'field.restored']
    expect(events.map(([action]) => action)).toEqual(actions)
  })
})
