import type { ModelField } from './model-field.ts'
import type { Operation, Scene } from './model-filter.ts'
import type { Expected, Kind } from './model-oracle.ts'
import { everything } from './model-select.ts'

/** What a company is told of its fields, or what it is told when it asks for one that another company has. */
export function describe(scene: Scene, kind: Kind): Operation | null {
  const { random } = scene
  const which = random.next()
  if (which < 0.01) return document(scene, kind)
  if (which < 0.03) return fieldList(scene, kind)
  return which < 0.09 ? unknownName(scene, kind) : null
}

function document(scene: Scene, kind: Kind): Operation {
  return read(scene, kind, '/', () => ({
    status: 200,
    check: (text) => {
      const { properties } = JSON.parse(text).components.schemas[kind]
      return differs(Object.keys(properties).slice(0, scene.oracle.columns(kind).length), scene.oracle.columns(kind))
    },
  }))
}

function fieldList(scene: Scene, kind: Kind): Operation {
  const { fields, archived } = scene.oracle
  const isArchived = scene.random.chance(0.3)
  const path = `/field?select=name,type,required,indexed,default_value&resource=eq.${kind}&archived_at=${isArchived ? 'not.' : ''}is.null&order=${isArchived ? 'archived_at' : 'position'}`
  const wanted = (isArchived ? archived : fields)[kind].map(described)
  return read(scene, kind, path, () => ({ status: 200, check: (text) => differs(JSON.parse(text), wanted) }))
}

const described = ({ name, type, isRequired, isIndexed, usual, states }: ModelField) => ({
  ...{ name, type, required: isRequired, indexed: isIndexed },
  default_value: states ? null : usual,
})

/** The name of another company's field, an archived one of its own, or nearly such a name. */
function unknownName(scene: Scene, kind: Kind): Operation | null {
  const { random, oracle } = scene
  const name = random.chance(0.8) ? scene.foreignField() : (random.pick(oracle.archived[kind])?.name ?? null)
  const asked = name && random.chance(0.3) ? name.slice(0, -1) : name
  if (asked === null || oracle.fields[kind].some((field) => field.name === asked)) return null
  const query = random.pick([
    `select=${asked}`,
    `select=id,x:${asked}`,
    `${asked}=is.null`,
    `order=${asked}.desc`,
    `or=(${asked}.eq.1,id.is.null)`,
  ])
  if (random.chance(0.7)) return read(scene, kind, `/${kind}?${query}`, () => ({ status: 400, codes: ['42703'] }))
  const refused = read(scene, kind, `/${kind}`, () => ({ status: 400, codes: ['PGRST204'] }))
  const body = JSON.stringify({ [`${kind}_name`]: 'x', [asked]: 1 })
  return { ...refused, method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
}

const read = ({ oracle }: Scene, kind: Kind, path: string, expected: () => Expected): Operation => ({
  ...{ method: 'GET', path, headers: {}, body: null, kind, selection: everything(oracle, kind), expected },
})

const differs = (found: unknown, wanted: unknown): string | null =>
  JSON.stringify(found) === JSON.stringify(wanted) ? null : `it does not tell ${JSON.stringify(wanted)}`
