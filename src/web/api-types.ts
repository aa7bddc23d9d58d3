/** What the server sends under /api: types are all that the page imports of it. */
export type * from '../settings/documents/credentials.ts'
export type * from '../settings/documents/people.ts'
export type * from '../settings/documents/rows.ts'
export type * from '../settings/documents/webhooks.ts'

/** A row of any resource, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>
