/** What the server sends under /api: types are all that the page imports of it. */
export type * from '../settings/documents.ts'
export type * from '../settings/webhook-documents.ts'

/** A row of any resource, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>
