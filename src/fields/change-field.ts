import { failure } from '../errors/index.ts'
import { type Actor, commandLine } from '../people/audit.ts'
import type { Companies } from '../store/database.ts'
import { nowText } from '../types/timestamp-text.ts'
import { audited, type Before, changeSchema, type Decide } from './change-schema.ts'
import type { Definition, FieldDocument, FieldRef } from './field.ts'
import { updateField as updateRow } from './field-rows.ts'
import { findField, requireRoom } from './fields.ts'
import { parseChange } from './parse-definition.ts'
import { type Body, invalid } from './parse-values.ts'
import { requireFittingRows } from './require-fitting-rows.ts'

/** Changes what is sent of a field. Its name and its type stay. */
export async function updateField(
  db: Companies,
  ref: FieldRef,
  body: Body,
  by: Actor = commandLine,
): Promise<FieldDocument> {
  const known = await findField(db, ref)
  await requireFittingRows(db.forCompany(ref.companyId), known, parseChange(definitionOf(known), body))
  return changeOne(db, ref, (field, { own, fields }) => {
    if (field.archived_at !== null) throw failure.fieldArchived('Restore it first.')
    const before = definitionOf(field)
    const after = parseChange(before, body)
    const changed = partsOf(before).filter((part) => isOther(before, after, part))
    if (changed.length === 0) return unchanged(field)
    const { id, resource, name } = field
    requireRoom(
      fields.filter((one) => one.id !== id),
      after,
    )
    const part = {
      ...Object.fromEntries(changed.map((key) => [key, after[key]])),
      // An index is built before it is used, and kept until no process uses it any more.
      ...(after.indexed && !before.indexed ? { indexed_at: null } : {}),
      updated_at: nowText(),
    }
    return {
      statements: [updateRow(own, id, part), audited(own, by, 'changed', name, { field_id: id, resource, changed })],
      isPending: after.indexed !== before.indexed,
      result: { ...field, ...part },
    }
  })
}

/** Without what the service decides. */
function definitionOf({
  id,
  position,
  indexed_at,
  archived_at,
  created_at,
  updated_at,
  ...definition
}: FieldDocument): Definition {
  return definition
}

const partsOf = (definition: Definition) => Object.keys(definition) as (keyof Definition)[]

const isOther = (before: Definition, after: Definition, part: keyof Definition): boolean =>
  JSON.stringify(before[part]) !== JSON.stringify(after[part])

/** Hides a field at once. Its values stay for 30 days. */
export const archiveField = (db: Companies, ref: FieldRef, by: Actor = commandLine): Promise<FieldDocument> =>
  changeOne(db, ref, (field, { own, set }) => {
    if (field.archived_at !== null) return unchanged(field)
    const part = { archived_at: nowText(), indexed_at: null, updated_at: nowText() }
    const { id, resource, name } = field
    return {
      statements: [updateRow(own, id, part), audited(own, by, 'archived', name, { field_id: id, resource })],
      set: { restored: set.restored.filter((one) => one !== name) },
      result: { ...field, ...part },
    }
  })

/** Shows an archived field again, with the values that it had. */
export const restoreField = (db: Companies, ref: FieldRef, by: Actor = commandLine): Promise<FieldDocument> =>
  changeOne(db, ref, (field, { own, fields, set }) => {
    if (field.archived_at === null) return unchanged(field)
    requireRoom(
      fields.filter(({ id }) => id !== field.id),
      field,
    )
    const part = { archived_at: null, updated_at: nowText() }
    const { id, resource, name } = field
    return {
      statements: [updateRow(own, id, part), audited(own, by, 'restored', name, { field_id: id, resource })],
      set: { restored: [...set.restored, name] },
      result: { ...field, ...part },
    }
  })

/** Puts the fields of a resource into the order of their ids. All that are not archived have to be named. */
export async function reorderFields(
  db: Companies,
  {
    companyId,
    resource,
    ids,
  }: { readonly companyId: string; readonly resource: string; readonly ids: readonly string[] },
  by: Actor = commandLine,
): Promise<FieldDocument[]> {
  return changeSchema(db, { companyId, resource }, ({ own, fields }) => {
    const live = fields.filter(({ archived_at }) => archived_at === null)
    if (ids.length !== live.length || !live.every(({ id }) => ids.includes(id)))
      throw invalid(
        'An order names every field once',
        'Send the ids of all fields of the resource that are not archived.',
      )
    const ordered = live.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    const moved = ordered.map((field, at) => ({ ...field, position: at + 1 }))
    const changes = moved.filter((field, at) => field.position !== ordered[at]?.position)
    const isSame = live.every(({ id }, at) => id === ordered[at]?.id)
    const names = ordered.map(({ name }) => name)
    return {
      statements: isSame
        ? []
        : [
            ...changes.map(({ id, position }) => updateRow(own, id, { position })),
            audited(own, by, 'reordered', resource, { resource, order: names }),
          ],
      set: {},
      result: moved,
    }
  })
}

type DecideOne = (field: FieldDocument, before: Before) => ReturnType<Decide<FieldDocument>>

/** A change of one field, as it is when it is its turn. */
async function changeOne(db: Companies, ref: FieldRef, decide: DecideOne): Promise<FieldDocument> {
  const { resource } = await findField(db, ref)
  return changeSchema(db, { companyId: ref.companyId, resource }, (before) => {
    const field = before.fields.find(({ id }) => id === ref.id)
    if (!field) throw failure.definitionUnknown()
    return decide(field, before)
  })
}

const unchanged = (field: FieldDocument) => ({ statements: [], result: field })
