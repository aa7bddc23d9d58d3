import { failure } from '../errors/index.ts'
import { type Actor, commandLine } from '../people/audit.ts'
import type { Companies } from '../store/database.ts'
import { nowText } from '../types/timestamp-text.ts'
import { audited, type Before, changeSchema, type Decided } from './change-schema.ts'
import { hasValue } from './count-values.ts'
import type { FieldDocument, FieldRef } from './field.ts'
import { updateField as updateRow } from './field-rows.ts'
import { findField, requireRoom } from './fields.ts'
import { parseChange } from './parse-definition.ts'
import { type Body, invalid } from './parse-values.ts'

/** Changes what is sent of a field. Its name and its type stay. */
export async function updateField(
  db: Companies,
  ref: FieldRef,
  body: Body,
  by: Actor = commandLine,
): Promise<FieldDocument> {
  return changeOne(db, ref, function* (field, { own, fields }) {
    if (field.archived_at !== null) throw failure.fieldArchived('Restore it first.')
    const {
      id,
      resource,
      name,
      type,
      position,
      indexed_at,
      archived_at,

      created_at,
      updated_at,
      ...rest
    } = field
    const after = parseChange({ resource, name, type, ...rest }, body)
    const changed = Object.keys(rest).filter((key) => isOther(rest, after, key as keyof typeof rest))
    if (changed.length === 0) return unchanged(field)
    if (after.indexed && !field.indexed)
      requireRoom(
        fields.filter((one) => one.id !== id),
        true,
      )
    const removed = (field.choices ?? []).filter(({ value }) => !after.choices?.some((one) => one.value === value))
    for (const { value } of removed) {
      const [rows] = yield [hasValue(own, field, value)]
      if (rows?.length) throw failure.choiceInUse(value)
    }
    const part = {
      ...Object.fromEntries(changed.map((key) => [key, after[key as keyof typeof after]])),
      // An index is built before it is used.
      ...(after.indexed ? {} : { indexed_at: null }),
      updated_at: nowText(),
    }
    return {
      statements: [updateRow(own, id, part), audited(own, by, 'changed', name, { field_id: id, resource, changed })],
      isPending: after.indexed && !field.indexed,
      result: { ...field, ...part },
    }
  })
}

const isOther = <Part extends object>(before: Part, after: Part, key: keyof Part): boolean =>
  JSON.stringify(before[key]) !== JSON.stringify(after[key])

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
    requireRoom(fields, field.indexed)
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

type DecideOne = (field: FieldDocument, before: Before) => Decided<FieldDocument>

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
