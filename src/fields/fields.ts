import { failure } from '../errors/index.ts'
import { type Actor, commandLine } from '../people/audit.ts'
import { typeOf } from '../resources/define.ts'
import { companyRows } from '../store/compile/company-rows.ts'
import type { Companies } from '../store/database.ts'
import { sql } from '../store/sql.ts'
import { nowText } from '../types/timestamp-text.ts'
import { isUuid } from '../types/uuid.ts'
import { audited, changeSchema, type Decide } from './change-schema.ts'
import { definedColumn } from './column-of-field.ts'
import {
  type Definition,
  type FieldDocument,
  type FieldRef,
  fieldsMax,
  indexedMax,
  keptBytesMax,
  keptMax,
  rowBytesMax,
  type Transitions,
  transitionsMax,
} from './field.ts'
import { fieldColumns, fieldOf, insertField } from './field-rows.ts'
import { parseDefinition } from './parse-definition.ts'
import type { Body } from './parse-values.ts'

/** Adds a field to a resource of a company, behind those that it has. */
export async function createField(
  db: Companies,
  companyId: string,
  body: Body,
  by: Actor = commandLine,
): Promise<FieldDocument> {
  const definition = parseDefinition(body)
  return changeSchema(db, { companyId, resource: definition.resource }, createWith(definition, by))
}

const createWith =
  (definition: Definition, by: Actor): Decide<FieldDocument> =>
  ({ own, fields, set }) => {
    const known = fields.find(({ name }) => name === definition.name)
    if (known) throw failure.fieldExists(known.name, known.archived_at !== null)
    if (set.deleted.includes(definition.name)) throw failure.fieldExists(definition.name, true)
    requireRoom(fields, definition)
    const now = nowText()
    const field: FieldDocument = {
      ...{ id: Bun.randomUUIDv7(), position: 1 + Math.max(0, ...fields.map(({ position }) => position)) },
      ...definition,
      ...{ indexed_at: null, archived_at: null, created_at: now, updated_at: now },
    }
    const { id, resource, name, type } = field
    return {
      statements: [insertField(own, field), audited(own, by, 'created', name, { field_id: id, resource, type })],
      set: {},
      result: field,
    }
  }

/** Refuses a field for which a resource has no room beside its others. */
export function requireRoom(others: readonly FieldDocument[], definition: Definition): void {
  const { indexed, transitions } = definition
  const live = others.filter(({ archived_at }) => archived_at === null)
  if (live.length >= fieldsMax) throw failure.tooManyFields('fields', fieldsMax)
  if (indexed && live.filter((one) => one.indexed).length >= indexedMax)
    throw failure.tooManyFields('indexed fields', indexedMax)
  const pairs = live.reduce((total, one) => total + countTransitions(one.transitions), countTransitions(transitions))
  if (transitions !== null && pairs > transitionsMax)
    throw failure.tooManyFields('transitions in the fields', transitionsMax)
  const bytes = longestRow([...live, definition])
  if (bytes > rowBytesMax)
    throw failure.tooManyFields(
      'bytes in the fields of one row',
      rowBytesMax,
      'Lower the "max_length" of a text, which counts six bytes for each character, or "max_choices".',
    )
  if (longestRow([...others, definition]) > keptBytesMax)
    throw failure.tooManyFields(
      'bytes in the fields of one row, with the archived ones,',
      keptBytesMax,
      'Restore and change one, or wait: a field is deleted 30 days after it was archived.',
    )
  if (others.length >= keptMax)
    throw failure.tooManyFields(
      'fields, with the archived ones,',
      keptMax,
      'Restore and change one, or wait: a field is deleted 30 days after it was archived.',
    )
}

const longestRow = (definitions: readonly Definition[]): number =>
  definitions.reduce((total, one) => total + longestValue(one), 0)

function longestValue(definition: Definition): number {
  const column = definedColumn(definition)
  return typeOf(column).jsonBytesMax(column)
}

const countTransitions = (transitions: Transitions | null): number =>
  Object.values(transitions ?? {}).reduce((total, next) => total + next.length, 0)

/** The fields of a company in their order, the archived ones too. */
export async function listFields(db: Companies, companyId: string): Promise<FieldDocument[]> {
  const own = db.forCompany(companyId)
  const rows = await own.read(
    sql`select ${fieldColumns(own.dialect, 'field')} from ${companyRows('field', own)} order by resource, position, id`,
  )
  return rows.map(fieldOf)
}

export async function findField(db: Companies, { companyId, id }: FieldRef): Promise<FieldDocument> {
  const own = db.forCompany(companyId)
  const found = sql`select ${fieldColumns(own.dialect, 'field')} from ${companyRows('field', own)} and id = ${id}`
  const [row] = isUuid(id) ? await own.read(found) : []
  if (!row) throw failure.definitionUnknown()
  return fieldOf(row)
}
