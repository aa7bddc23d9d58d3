/** What the service should do, in plain maps and without SQL. It shares no code with the service. */

export type Kind = 'bid' | 'project'
/** A value that only the server knows is null until it has been seen. */
export type Row = Record<string, string | null>
export type Test = (row: Row) => boolean

export interface Expected {
  readonly status: number
  readonly code?: string
  /** The rows that the answer shows, in order; one, where it is an object. */
  readonly rows?: readonly Row[]
  readonly isObject?: boolean
  readonly range?: string
}

export const nameOf = (kind: Kind): string => `${kind}_name`
export const columnsOf = (kind: Kind): string[] => [
  'id',
  ...(kind === 'project' ? ['bid_id'] : []),
  nameOf(kind),
  'created_at',
  'updated_at',
]

const missingReference: Expected = { status: 409, code: '23503' }
const duplicate: Expected = { status: 409, code: '23505' }

/** One company. */
export class Oracle {
  readonly tables: Readonly<Record<Kind, Map<string, Row>>> = { bid: new Map(), project: new Map() }

  constructor(readonly mark: string) {}

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
  insert(kind: Kind, bodies: readonly Row[], resolution: 'none' | 'merge' | 'ignore'): Expected & { created: number } {
    const table = this.tables[kind]
    const named = bodies.flatMap(({ id }) => id ?? [])
    const hasTwins = new Set(named).size < named.length
    if (resolution === 'merge' && hasTwins) return { status: 400, code: '21000', created: 0 }
    if (resolution === 'none' && (hasTwins || named.some((id) => table.has(id)))) return { ...duplicate, created: 0 }
    const isFresh = ({ id }: Row, at: number) =>
      !id || (!table.has(id) && bodies.findIndex((one) => one.id === id) === at)
    const written = resolution === 'ignore' ? bodies.filter(isFresh) : bodies
    if (written.some((body) => !this.refers(kind, body))) return { ...missingReference, created: 0 }
    const created = written.filter(({ id }) => !id || !table.has(id)).length
    return { status: 201, rows: written.map((body) => this.write(kind, body)), created }
  }

  /** What the keys of the database have against a change, whatever else is wished. */
  refusedUpdate(kind: Kind, rows: readonly Row[], change: Row): Expected | null {
    return rows.length > 0 && 'bid_id' in change && !this.refers(kind, change) ? missingReference : null
  }

  update(rows: readonly Row[], change: Row): Expected {
    for (const row of rows) Object.assign(row, change, { updated_at: null })
    return { status: 200, rows }
  }

  refusedRemoval(kind: Kind, rows: readonly Row[]): Expected | null {
    return kind === 'bid' && rows.some((bid) => this.projectsOf(bid).length > 0) ? missingReference : null
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

  private write(kind: Kind, body: Row): Row {
    const known = this.tables[kind].get(body.id ?? '')
    if (known) return Object.assign(known, body, { updated_at: null })
    const row: Row = { id: null, created_at: null, updated_at: null, ...body }
    if (row.id) this.keep(kind, row)
    return row
  }
}

const byId = (a: Row, b: Row): number => compare(a.id ?? '', b.id ?? '')
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
