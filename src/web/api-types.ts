/** What the server sends under /api: types are all that the page imports of it. */
export type * from '../settings/documents.ts'

export interface Bid {
  readonly id: string
  readonly bid_name: string
  readonly created_at: string
  readonly updated_at: string
}

export interface Project {
  readonly id: string
  readonly bid_id: string
  readonly project_name: string
  readonly created_at: string
  readonly updated_at: string
  readonly bid: { readonly bid_name: string } | null
}
