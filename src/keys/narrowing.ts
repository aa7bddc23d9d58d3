export type Access = 'read' | 'read-write'

/** What can be done with rows. */
export const operations = ['read', 'create', 'change', 'delete'] as const
export type Operation = (typeof operations)[number]

/** A narrower access than to read, or to read and write, everything. Each part is null where it narrows nothing. */
export interface Narrowing {
  /** The names of the resources that it may use. */
  readonly resources: readonly string[] | null
  readonly may: readonly Operation[] | null
  /** The networks that it may be used from, in CIDR notation. */
  readonly addresses: readonly string[] | null
}

export const notNarrowed: Narrowing = { resources: null, may: null, addresses: null }

/** The coarse word for it, for those who do not look at each operation. */
export const accessOf = (may: readonly Operation[]): Access =>
  may.every((operation) => operation === 'read') ? 'read' : 'read-write'
