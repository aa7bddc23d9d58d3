import { archiveField, reorderFields, restoreField, updateField } from '../fields/change-field.ts'
import type { FieldDocument, FieldRef } from '../fields/field.ts'
import { createField, listFields } from '../fields/fields.ts'
import { printable } from '../people/printable.ts'
import type { Database } from '../store/database.ts'
import { type Command, CommandError, type Output } from './command.ts'
import { bodyOf, fieldDetails, fieldName, fieldRemovals } from './field-flags.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const fieldCreate: Command = {
  summary: 'Add a field of its own to a company’s projects or bids',
  words: [],
  flags: {
    ...fieldName,
    type: { value: 'TYPE', meaning: 'text, integer, decimal, choice, date, … (see docs/fields.md)', required: true },
    ...fieldDetails,
    scale: { value: 'N', meaning: 'Digits after the decimal point of a decimal (2)' },
  },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const { id: companyId, name: owner } = await findCompany(db, flags.company ?? '')
      const { resource, name, type = '' } = flags
      const json = await createField(db, companyId, { resource, name, type, ...bodyOf(flags, type) })
      return { json, text: `Added "${json.name}" to each ${json.resource} of ${printable(owner)}.` }
    }),
}

export const fieldList: Command = {
  summary: 'Show the fields of a company',
  words: [],
  flags: { company: fieldName.company },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const { id } = await findCompany(db, flags.company ?? '')
      const fields = await listFields(db, id)
      const rows = fields.map((one) => [one.id, one.resource, one.name, one.type, one.label, stateOf(one)])
      return { json: fields, text: textTable(['id', 'resource', 'name', 'type', 'label', 'state'], rows) }
    }),
}

export const fieldUpdate: Command = {
  summary: 'Change a field, but not its name or type',
  words: [],
  flags: {
    ...fieldName,
    ...fieldDetails,
    ...fieldRemovals,
    position: { value: 'N', meaning: 'Its place among the fields of the resource, from 1' },
  },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const found = await findByName(db, flags)
      const { field, ref } = found
      const body = bodyOf(flags, field.type, field.choices ?? [])
      const rules = 'rules' in body ? { rules: { ...field.rules, ...(body.rules as object) } } : {}
      const json = await updateField(db, ref, { ...body, ...rules })
      if (flags.position !== undefined) await move(db, found, flags.position)
      const [after = json] = (await listFields(db, ref.companyId)).filter(({ id }) => id === ref.id)
      return { json: after, text: `Changed "${json.name}".` }
    }),
}

export const fieldArchive: Command = {
  summary: 'Hide a field; its values are kept for 30 days',
  words: [],
  flags: fieldName,
  run: ({ flags, config }) =>
    withDatabase(config, async (db): Promise<Output> => {
      const json = await archiveField(db, (await findByName(db, flags)).ref)
      return { json, text: `Archived "${json.name}". "field restore" brings it back for 30 days.` }
    }),
}

export const fieldRestore: Command = {
  summary: 'Show an archived field again, with its values',
  words: [],
  flags: fieldName,
  run: ({ flags, config }) =>
    withDatabase(config, async (db): Promise<Output> => {
      const json = await restoreField(db, (await findByName(db, flags)).ref)
      return { json, text: `Restored "${json.name}".` }
    }),
}

const stateOf = ({ archived_at, indexed, indexed_at }: FieldDocument): string => {
  if (archived_at !== null) return `archived ${archived_at.slice(0, 10)}`
  return indexed ? (indexed_at === null ? 'index is being built' : 'indexed') : 'active'
}

interface Found {
  readonly ref: FieldRef
  readonly field: FieldDocument
  readonly fields: readonly FieldDocument[]
}

async function findByName(db: Database, flags: Readonly<Record<string, string | undefined>>): Promise<Found> {
  const { id: companyId } = await findCompany(db, flags.company ?? '')
  const fields = await listFields(db, companyId)
  const field = fields.find(({ resource, name }) => resource === flags.resource && name === flags.name)
  if (!field) throw new CommandError(`There is no field "${flags.name}". "field list" shows them.`)
  return { ref: { companyId, id: field.id }, field, fields }
}

async function move(db: Database, { ref, field, fields }: Found, position: string): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(position))
    throw new CommandError(`--position must be a number from 1, but is "${position}".`, 2)
  const others = fields.filter(
    ({ id, resource, archived_at }) => resource === field.resource && archived_at === null && id !== ref.id,
  )
  const ids = others.map(({ id }) => id).toSpliced(Number(position) - 1, 0, ref.id)
  await reorderFields(db, { companyId: ref.companyId, resource: field.resource, ids })
}
