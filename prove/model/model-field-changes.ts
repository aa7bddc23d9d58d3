import { archiveField, reorderFields, restoreField, updateField } from '../../src/fields/change-field.ts'
import { createField } from '../../src/fields/fields.ts'
import type { Database } from '../../src/store/database.ts'
import type { Company } from './model-companies.ts'
import { type ModelField, newField } from './model-field.ts'
import type { Scene } from './model-filter.ts'
import type { Kind } from './model-oracle.ts'

const fieldsMax = 7

/** Names that many companies use, each for a type of its own. */
const sharedNames = ['status', 'amount', 'due', 'label_1']
const ownNames = ['height', 'owner', 'risk', 'site']

/** Adds, archives, restores, moves, indexes or no longer indexes a field: in the service, then in the model. */
export async function changeFields(db: Database, scene: Scene, { id: companyId }: Company, kind: Kind): Promise<void> {
  const { random, oracle } = scene
  const { fields, archived } = oracle
  const which = random.next()
  const chosen = random.pick(fields[kind])
  if (which < 0.35 || !chosen) {
    await addField(db, scene, companyId, kind)
  } else if (which < 0.55) {
    await archiveField(db, { companyId, id: chosen.id })
    fields[kind] = fields[kind].filter((one) => one !== chosen)
    archived[kind] = [...archived[kind], chosen]
  } else if (which < 0.75) {
    const back = random.pick(archived[kind])
    if (!back) return
    const { position } = await restoreField(db, { companyId, id: back.id })
    archived[kind] = archived[kind].filter((one) => one !== back)
    await reorder(db, scene, companyId, kind, [
      ...fields[kind].slice(0, position),
      back,
      ...fields[kind].slice(position),
    ])
  } else if (which < 0.85) {
    await reorder(db, scene, companyId, kind, [chosen, ...fields[kind].filter((one) => one !== chosen)])
  } else if (chosen.type !== 'choices') {
    const isIndexed = !chosen.isIndexed
    await updateField(db, { companyId, id: chosen.id }, { indexed: isIndexed })
    fields[kind] = fields[kind].map((one) => (one === chosen ? { ...one, isIndexed } : one))
  }
}

async function addField(db: Database, { random, oracle }: Scene, companyId: string, kind: Kind): Promise<void> {
  const { fields, archived, mark } = oracle
  const known = [...fields[kind], ...archived[kind]].map(({ name }) => name)
  if (known.length >= fieldsMax) return
  const free = [...sharedNames, ...ownNames.map((name) => `${mark.toLowerCase()}_${name}`)]
  const { field, definition } = newField(random, mark, random.pick(free.filter((name) => !known.includes(name))))
  const { id } = await createField(db, companyId, { resource: kind, ...definition })
  fields[kind] = [...fields[kind], { id, ...field }]
}

async function reorder(
  db: Database,
  { oracle }: Scene,
  companyId: string,
  kind: Kind,
  fields: readonly ModelField[],
): Promise<void> {
  await reorderFields(db, { companyId, resource: kind, ids: fields.map(({ id }) => id) })
  oracle.fields[kind] = fields
}
