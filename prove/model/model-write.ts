import { type ModelField, sentValue } from './model-field.ts'
import { filter, newName, type Operation, type Scene, someId } from './model-filter.ts'
import { type Expected, type Kind, nameOf, type Row, type Sending } from './model-oracle.ts'
import { everything } from './model-select.ts'

const bodyOf = (scene: Scene, kind: Kind, fields: readonly ModelField[]): Row => ({
  [nameOf(kind)]: newName(scene),
  ...(kind === 'project' ? { bid_id: someId(scene, 'bid') } : {}),
  ...Object.fromEntries(
    fields.map((field) => [field.name, sentValue(scene.random, field, scene.oracle.mark)] as const),
  ),
})

/** Those that a new row needs, and some others. */
const sentFields = ({ random, oracle }: Scene, kind: Kind): ModelField[] =>
  oracle.fields[kind].filter((field) => random.chance(field.isRequired && field.usual === null ? 0.97 : 0.5))

export function insert(scene: Scene, kind: Kind): Operation {
  const { random, oracle } = scene
  const isMany = random.chance(0.35)
  const resolution: Sending['resolution'] = random.chance(0.7) ? 'none' : random.pick(['merge', 'ignore'])
  const withId = resolution !== 'none' || random.chance(0.4)
  const fields = sentFields(scene, kind)
  // `columns` lets rows differ in what they have.
  const columns = fields.length > 0 && random.chance(0.2) ? fields : undefined
  const hasDefaults = random.chance(0.5)
  const makeBody = (): Row => ({
    ...bodyOf(scene, kind, columns ? fields.filter(() => random.chance(0.7)) : fields),
    ...(withId ? { id: random.chance(0.5) ? random.uuid() : someId(scene, kind) } : {}),
  })
  const bodies = isMany ? [makeBody(), ...random.some(3, makeBody)] : [makeBody()]
  const isMinimal = withId && random.chance(0.3)
  const prefer = [
    isMinimal ? 'return=minimal' : 'return=representation',
    ...(resolution === 'none' ? [] : [`resolution=${resolution}-duplicates`]),
    ...(columns && hasDefaults ? ['missing=default'] : []),
  ]
  const expected = (): Expected => {
    const sending = { resolution, hasDefaults, ...(columns ? { columns } : {}) }
    const { created, ...outcome } = oracle.insert(kind, bodies, sending)
    if (!outcome.rows) return outcome
    const status = resolution === 'merge' && created === 0 ? 200 : 201
    return isMinimal ? { status } : { status, rows: outcome.rows }
  }
  return write(scene, kind, {
    method: 'POST',
    path: `/${kind}${columns ? `?columns=${namesOf(kind, withId, columns)}` : ''}`,
    prefer,
    body: JSON.stringify(isMany ? bodies : bodies[0]),
    expected,
  })
}

const namesOf = (kind: Kind, withId: boolean, fields: readonly ModelField[]): string[] => [
  ...(withId ? ['id'] : []),
  ...(kind === 'project' ? ['bid_id'] : []),
  nameOf(kind),
  ...fields.map(({ name }) => name),
]

export function put(scene: Scene, kind: Kind): Operation {
  const { random, oracle } = scene
  const body = { id: someId(scene, kind), ...bodyOf(scene, kind, sentFields(scene, kind)) }
  const isShown = random.chance(0.6)
  const expected = (): Expected => {
    const { created, ...outcome } = oracle.insert(kind, [body], { resolution: 'merge' })
    if (!outcome.rows) return outcome
    if (isShown) return { status: created > 0 ? 201 : 200, rows: outcome.rows }
    return { status: created > 0 ? 201 : 204 }
  }
  const prefer = isShown ? ['return=representation'] : []
  return write(scene, kind, {
    method: 'PUT',
    path: `/${kind}?id=eq.${body.id}`,
    prefer,
    body: JSON.stringify(body),
    expected,
  })
}

export function update(scene: Scene, kind: Kind): Operation {
  const { random, oracle } = scene
  const fields = oracle.fields[kind].filter(() => random.chance(0.3))
  const change = random.chance(0.5) ? bodyOf(scene, kind, fields) : { [nameOf(kind)]: newName(scene) }
  return changing(scene, {
    kind,
    method: 'PATCH',
    body: JSON.stringify(change),
    invalid: oracle.refusedValue(kind, change),
    refused: (rows) => oracle.refusedUpdate(kind, rows, change),
    apply: (rows) => oracle.update(rows, change),
  })
}

export function remove(scene: Scene, kind: Kind): Operation {
  const { oracle } = scene
  return changing(scene, {
    kind,
    method: 'DELETE',
    body: null,
    invalid: null,
    refused: (rows) => oracle.refusedRemoval(kind, rows),
    apply: (rows) => oracle.remove(kind, rows),
  })
}

interface Change {
  readonly kind: Kind
  readonly method: string
  readonly body: string | null
  /** What is wrong with the body, whatever the rows. */
  readonly invalid: Expected | null
  refused(rows: readonly Row[]): Expected | null
  apply(rows: readonly Row[]): Expected
}

/** What PATCH and DELETE have in common: the rows are those that match, and some wishes undo it all. */
function changing(scene: Scene, { kind, method, body, invalid, refused, apply }: Change): Operation {
  const { random, oracle } = scene
  const filters = random.chance(0.03) ? [] : [filter(scene, kind), ...random.some(1, () => filter(scene, kind))]
  const isShown = random.chance(0.6)
  const isSingle = isShown && random.chance(0.15)
  const affectedMax = random.chance(0.15) ? random.below(3) : null
  const expected = (): Expected => {
    if (filters.length === 0) return { status: 400, codes: ['21000'] }
    if (invalid) return invalid
    const rows = oracle.matching(kind, (row) => filters.every(({ test }) => test(row)))
    const refusal = refused(rows)
    if (refusal) return refusal
    if (isSingle && rows.length !== 1) return { status: 406, codes: ['PGRST116'] }
    if (affectedMax !== null && rows.length > affectedMax) return { status: 400, codes: ['PGRST124'] }
    const outcome = apply(rows)
    return isShown ? { ...outcome, isObject: isSingle } : { status: 204 }
  }
  const prefer = [
    ...(isShown ? ['return=representation'] : []),
    ...(affectedMax === null ? [] : ['handling=strict', `max-affected=${affectedMax}`]),
  ]
  const path = `/${kind}${filters.length > 0 ? `?${filters.map(({ query }) => query).join('&')}` : ''}`
  const operation = write(scene, kind, { method, path, prefer, body, expected })
  return isSingle
    ? { ...operation, headers: { ...operation.headers, Accept: 'application/vnd.pgrst.object+json' } }
    : operation
}

function write(
  { oracle }: Scene,
  kind: Kind,
  {
    prefer,
    ...rest
  }: Pick<Operation, 'method' | 'path' | 'body' | 'expected'> & { readonly prefer: readonly string[] },
): Operation {
  const headers = {
    ...(rest.body === null ? {} : { 'Content-Type': 'application/json' }),
    ...(prefer.length > 0 ? { Prefer: prefer.join(', ') } : {}),
  }
  return { ...rest, headers, kind, selection: everything(oracle, kind) }
}
