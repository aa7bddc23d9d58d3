import type { Bid, Project } from '../api-types.ts'

/** What the pages of projects and bids differ in. */
export interface RowKind<Row> {
  readonly resource: 'project' | 'bid'
  readonly one: string
  readonly many: string
  readonly nameColumn: 'project_name' | 'bid_name'
  readonly select: string
  readonly lead: string
  readonly empty: string
  readonly nameOf: (row: Row) => string
  readonly bidOf: ((row: Row) => { readonly id: string; readonly name: string }) | null
}

export interface AnyRow {
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
}

export const projects: RowKind<Project> = {
  resource: 'project',
  one: 'project',
  many: 'projects',
  nameColumn: 'project_name',
  select: '*,bid(bid_name)',
  lead: 'Work won by a bid.',
  empty: 'A project belongs to a bid. Make one here, or let an application create it through the API.',
  nameOf: ({ project_name }) => project_name,
  bidOf: ({ bid_id, bid }) => ({ id: bid_id, name: bid?.bid_name ?? bid_id }),
}

export const bids: RowKind<Bid> = {
  resource: 'bid',
  one: 'bid',
  many: 'bids',
  nameColumn: 'bid_name',
  select: '*',
  lead: 'Offers, from which projects come.',
  empty: 'Every project belongs to a bid, so this is where to begin.',
  nameOf: ({ bid_name }) => bid_name,
  bidOf: null,
}
