import { type ModelField, mayFollow, mayStart, refusal } from './model-field.ts'

/** What the service should do, in plain maps and without SQL. It shares no code with the service. */

export type Kind = 'bid' | 'project'
/** A value that only the server knows is undefined until it has been seen. */
export type Value = string | number | boolean | readonly string[] | null | undefined
export interface Row {
  [column: string]: Value
  id?: string | undefined
  bid_id?: string
}
export type Test = (row: Row) => boolean

export interface Expected {
  readonly status: number
  /** Where several things are wrong, any of them may be told. */
  readonly codes?: readonly string[]
  /** The rows that the answer shows, in order; one, where it is an object. */
  readonly rows?: readonly Row[]
  readonly isObject?: boolean
  readonly range?: string
  /** Of an answer without rows of the model: what is wrong with it. */
  check?(text: string): string | null
}

export const nameOf = (kind: Kind): string => `${kind}_name`
const builtIn = (kind: Kind): string[] => [
  'id',
  ...(kind === 'project' ? ['bid_id'] : []),
  nameOf(kind),
  'created_at',
  'updated_at',
]

const missingReference = '23503'
const wrongState = 'transition_not_allowed'
const duplicate: Expected = { status: 409, codes: ['23505'] }

/** How a list of rows is sent. */
export interface Sending {
  readonly resolution: 'none' | 'merge' | 'ignore'
  /** The fields that `columns` names; a row need not have them all. */
  readonly columns?: readonly ModelField[]
  /** Whether a row has the default of a field that it does not have. */
  readonly hasDefaults?: boolean
}

/** One company. */
export class Oracle {
  readonly tables: Readonly<Record<Kind, Map<string, Row>>> = { bid: new Map(), project: new Map() }
  /** The company's own, in their order. */
  readonly fields: Record<Kind, readonly ModelField[]> = { bid: [], project: [] }
  readonly archived: Record<Kind, readonly ModelField[]> = { bid: [], project: [] }

  constructor(readonly mark: string) {}

  columns(kind: Kind): string[] {
    return [...builtIn(kind), ...this.fields[kind].map(({ name }) => name)]
  }

  ids(kind: Kind): string[] {
    return [...this.tables[kind].keys()]
  }

  matching(kind: Kind, test: Test): Row[] {
    return [...this.tables[kind].values()].filter(test).sort(byId)
  }

  bidOf(project: Row): Row | null {
    return this.tables.bid.get(project.bid_id ?? '') ?? null
  }

  projectsOf(bid: Row): Row[] {
    return this.matching('project', ({ bid_id }) => bid_id === bid.id)
  }

  /** All or nothing. A row without an id gets one from the server. */
  insert(kind: Kind, sent: readonly Row[], sending: Sending): Expected & { created: number } {
    const { resolution } = sending
    const table = this.tables[kind]
    const bodies = sent.map((body) => this.completed(kind, body, sending))
    const refused = bodies.flatMap((body) =>
      this.fields[kind].flatMap((field) => refusal(field, body.whole[field.name]) ?? []),
    )
    if (refused[0]) return { status: 400, codes: refused.slice(0, 1), created: 0 }
    const named = sent.flatMap(({ id }) => id ?? [])
    const hasTwins = new Set(named).size < named.length
    if (resolution === 'merge' && hasTwins) return { status: 400, codes: ['21000'], created: 0 }
    const isNew = ({ id }: Row): boolean => !id || !table.has(id)
    const starting = resolution === 'merge' ? bodies.filter(({ changes }) => isNew(changes)) : bodies
    const hasWrongStart = starting.some(({ whole }) =>
      this.fields[kind].some((field) => !mayStart(field, whole[field.name])),
    )
    if (hasWrongStart && resolution !== 'merge') return { status: 409, codes: [wrongState], created: 0 }
    if (resolution === 'none' && (hasTwins || !sent.every(isNew))) return { ...duplicate, created: 0 }
    const isFirst = ({ id }: Row, at: number) => isNew({ id }) && (!id || sent.findIndex((one) => one.id === id) === at)
    const written = resolution === 'ignore' ? bodies.filter(({ changes }, at) => isFirst(changes, at)) : bodies
    const codes = [
      ...(hasWrongStart || written.some(({ changes }) => !this.mayChange(kind, table.get(changes.id ?? ''), changes))
        ? [wrongState]
        : []),
      ...(written.some(({ changes }) => !this.refers(kind, changes)) ? [missingReference] : []),
    ]
    if (codes.length > 0) return { status: 409, codes, created: 0 }
    const created = written.filter(({ changes }) => isNew(changes)).length
    return { status: 201, rows: written.map((body) => this.write(kind, body)), created }
  }

  /** What a new row has of it, and what it changes of a row that is there. */
  private completed(
    kind: Kind,
    body: Row,
    { columns, hasDefaults }: Sending,
  ): { readonly whole: Row; readonly changes: Row } {
    const changes: Row = { ...body }
    for (const { name, usual } of columns ?? []) if (!(name in body)) changes[name] = hasDefaults ? usual : null
    const usual = Object.fromEntries(this.fields[kind].map((field) => [field.name, field.usual]))
    return { whole: { ...usual, ...changes }, changes }
  }

  private mayChange(kind: Kind, row: Row | undefined, changes: Row): boolean {
    return (
      !row ||
      this.fields[kind].every(
        (field) => !(field.name in changes) || mayFollow(field, row[field.name], changes[field.name]),
      )
    )
  }

  /** What is wrong with a change, whatever the rows. */
  refusedValue(kind: Kind, change: Row): Expected | null {
    const sent = Object.keys(change).flatMap((name) => this.fields[kind].find((field) => field.name === name) ?? [])
    const [code] = sent.flatMap((field) => refusal(field, change[field.name]) ?? [])
    return code ? { status: 400, codes: [code] } : null
  }

  /** What the keys of the database and the states have against a change, whatever else is wished. */
  refusedUpdate(kind: Kind, rows: readonly Row[], change: Row): Expected | null {
    const codes = [
      ...(rows.some((row) => !this.mayChange(kind, row, change)) ? [wrongState] : []),
      ...(rows.length > 0 && 'bid_id' in change && !this.refers(kind, change) ? [missingReference] : []),
    ]
    return codes.length > 0 ? { status: 409, codes } : null
  }

  update(rows: readonly Row[], change: Row): Expected {
    for (const row of rows) Object.assign(row, change, { updated_at: undefined })
    return { status: 200, rows }
  }

  refusedRemoval(kind: Kind, rows: readonly Row[]): Expected | null {
    const isUsed = kind === 'bid' && rows.some((bid) => this.projectsOf(bid).length > 0)
    return isUsed ? { status: 409, codes: [missingReference] } : null
  }

  remove(kind: Kind, rows: readonly Row[]): Expected {
    for (const { id } of rows) this.tables[kind].delete(id ?? '')
    return { status: 200, rows }
  }

  /** Takes what the service has for what there should be, after a difference. */
  adopt(kind: Kind, rows: readonly Row[]): void {
    this.tables[kind].clear()
    for (const row of rows) this.keep(kind, { ...row })
  }

  /** Once its id is known. */
  keep(kind: Kind, row: Row): void {
    this.tables[kind].set(row.id ?? '', row)
  }

  private refers(kind: Kind, body: Row): boolean {
    return kind === 'bid' || this.tables.bid.has(body.bid_id ?? '')
  }

  private write(kind: Kind, { whole, changes }: { readonly whole: Row; readonly changes: Row }): Row {
    const known = this.tables[kind].get(changes.id ?? '')
    if (known) return Object.assign(known, changes, { updated_at: undefined })
    const row: Row = { id: undefined, created_at: undefined, updated_at: undefined, ...whole }
    if (row.id) this.keep(kind, row)
    return row
  }
}

const byId = (a: Row, b: Row): number => compare(a.id ?? '', b.id ?? '')

/** Of two values of one type, neither of which is null. */
export function compare(a: Value, b: Value): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}
