import { archiveField, reorderFields, restoreField, updateField } from '../fields/change-field.ts'
import { countValues } from '../fields/count-values.ts'
import type { FieldRef } from '../fields/field.ts'
import { createField, listFields } from '../fields/fields.ts'
import { parseOrder } from '../fields/parse-order.ts'
import { actorOf, companyOf, ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/rows.ts'

export const fieldsRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/fields', role: 'viewer', handle: list },
  { method: 'POST', path: '/api/fields', role: 'owner', handle: create },
  { method: 'GET', path: '/api/fields/values', role: 'viewer', handle: count },
  { method: 'POST', path: '/api/fields/order', role: 'owner', handle: reorder },
  { method: 'PATCH', path: '/api/fields/:id', role: 'owner', handle: change },
  { method: 'POST', path: '/api/fields/:id/archive', role: 'owner', handle: archive },
  { method: 'POST', path: '/api/fields/:id/restore', role: 'owner', handle: restore },
]

async function list(context: SettingsContext) {
  return ok<readonly documents.Field[]>(await listFields(context.db, companyOf(context).id))
}

/** Apart from the list, because it looks at every row. */
async function count(context: SettingsContext) {
  return ok<documents.FieldValues>(await countValues(context.db, companyOf(context).id))
}

async function create(context: SettingsContext) {
  const body = await context.json()
  return ok<documents.Field>(await createField(context.db, companyOf(context).id, body, actorOf(context)), 201)
}

async function change(context: SettingsContext) {
  const body = await context.json()
  return ok<documents.Field>(await updateField(context.db, refOf(context), body, actorOf(context)))
}

async function reorder(context: SettingsContext) {
  const order = parseOrder(await context.json())
  const fields = await reorderFields(context.db, { companyId: companyOf(context).id, ...order }, actorOf(context))
  return ok<readonly documents.Field[]>(fields)
}

async function archive(context: SettingsContext) {
  return ok<documents.Field>(await archiveField(context.db, refOf(context), actorOf(context)))
}

async function restore(context: SettingsContext) {
  return ok<documents.Field>(await restoreField(context.db, refOf(context), actorOf(context)))
}

const refOf = (context: SettingsContext): FieldRef => ({
  companyId: companyOf(context).id,
  id: context.params.id ?? '',
})
