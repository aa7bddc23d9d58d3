import { expect } from 'bun:test'
import { PostgrestClient } from '@supabase/postgrest-js'
import { createClient } from '@supabase/supabase-js'
import type { Tenant, World } from '../support/world.ts'

/** supabase-js as an application makes it. */
export function connect(world: World, tenant: Tenant = world.acme, headers = secretOf(tenant)) {
  return connectWith(world, tenant.apiKey, headers)
}

export function connectWith(world: World, apiKey: string, headers: Record<string, string>) {
  return createClient(world.base, apiKey, { ...options, global: { headers } })
}

/** The same with types, as `supabase gen types` would write them. */
export function connectTyped(world: World, tenant: Tenant = world.acme) {
  return createClient<Database>(world.base, tenant.apiKey, { ...options, global: { headers: secretOf(tenant) } })
}

/** postgrest-js alone: it sends no schema and no key of its own. */
export function connectBare(world: World, tenant: Tenant = world.acme) {
  return new PostgrestClient(`${world.base}/rest/v1`, { headers: tenant.headers })
}

/** Node 20 has no WebSocket, without which the client does not start. Nothing here opens one. */
class NoWebSocket {}

const options = {
  auth: { persistSession: false, autoRefreshToken: false },
  ...('WebSocket' in globalThis ? {} : { realtime: { transport: NoWebSocket as never } }),
}
const secretOf = (tenant: Tenant): Record<string, string> => ({ 'X-API-Secret': tenant.apiSecret })

type Row<Own> = Own & { id: string; created_at: string; updated_at: string }

interface Table<Own, Relationships> {
  Row: Row<Own>
  Insert: Own & { id?: string }
  Update: Partial<Own> & { id?: string }
  Relationships: Relationships
}

interface ProjectToBid {
  foreignKeyName: 'project_bid_id_fkey'
  columns: ['bid_id']
  isOneToOne: false
  referencedRelation: 'bid'
  referencedColumns: ['id']
}

// A type and not an interface: the client's types want an index signature.
export type Database = {
  __InternalSupabase: { PostgrestVersion: '14.17' }
  public: {
    Tables: {
      bid: Table<{ bid_name: string }, []>
      project: Table<{ bid_id: string; project_name: string }, [ProjectToBid]>
    }
    Views: Record<never, never>
    Functions: Record<never, never>
  }
}

export const bidId = (number: number): string => `00000000-0000-7000-8000-0000000000b${number}`
export const projectId = (number: number): string => `00000000-0000-7000-8000-0000000000a${number}`
export const absent = '00000000-0000-7000-8000-0000000000ff'

/** Bids 1 to 3; the last one has no projects. */
export const bids = ['Harbour', 'Motorway', 'Ünïcode tender'].map((bid_name, at) => ({ id: bidId(at + 1), bid_name }))

const named1To8: readonly (readonly [bid: number, name: string])[] = [
  [1, 'Alpha bridge'],
  [1, 'Beta bridge, north'],
  [1, 'Gamma "quoted" dam'],
  [2, '100% Delta'],
  [2, 'Epsilon (phase 2)'],
  [2, 'Ünïcode Straße 東京 🏗️'],
  [2, 'alpha_tunnel'],
  [1, 'Zeta\\back*slash'],
]

/** Projects 1 to 8, with every sign in their names that has a meaning somewhere on the way. */
export const projects = named1To8.map(([bid, project_name], at) => ({
  id: projectId(at + 1),
  bid_id: bidId(bid),
  project_name,
}))

/** The rows `{ project_name }` of these projects. */
export const named = (...numbers: number[]) => numbers.map((number) => ({ project_name: nameOf(number) }))
export const nameOf = (number: number): string => projects[number - 1]?.project_name ?? ''

/** Of the other company: the same ids and one same name, so that every leak shows. */
const rivalBids = [{ id: bidId(1), bid_name: 'Rival harbour' }]
const rivalProjects = [
  { id: projectId(1), bid_id: bidId(1), project_name: 'Rival secret' },
  { id: '00000000-0000-7000-8000-0000000000c1', bid_id: bidId(1), project_name: 'Alpha bridge' },
]

/** Both companies with these rows and no others. */
export async function seed(world: World): Promise<void> {
  await fill(world, world.acme, bids, projects)
  await fill(world, world.rival, rivalBids, rivalProjects)
}

async function fill(world: World, tenant: Tenant, itsBids: object[], itsProjects: object[]): Promise<void> {
  const client = connect(world, tenant)
  await client.from('project').delete().not('id', 'is', null).throwOnError()
  await client.from('bid').delete().not('id', 'is', null).throwOnError()
  await client.from('bid').insert(itsBids).throwOnError()
  await client.from('project').insert(itsProjects).throwOnError()
}

/** Whatever Acme did, Rival has what it had. */
export async function expectRivalUntouched(world: World): Promise<void> {
  const client = connect(world, world.rival)
  expect((await client.from('bid').select('id,bid_name')).data).toEqual(rivalBids)
  expect((await client.from('project').select('id,bid_id,project_name')).data).toEqual(rivalProjects)
}

interface Answer {
  readonly data: unknown
  readonly error: unknown
  readonly count: number | null
  readonly status: number
  readonly statusText: string
}

/** All that a client hands to an application. */
export async function answer(query: PromiseLike<Answer>): Promise<Answer> {
  const { data, error, count, status, statusText } = await query
  return { data, error, count, status, statusText }
}

const texts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  206: 'Partial Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  409: 'Conflict',
  416: 'Range Not Satisfiable',
}

/** What `answer` is where all went well. */
export function ok(data: unknown, status = 200, count: number | null = null): Answer {
  return { data, error: null, count, status, statusText: texts[status] ?? '' }
}

/** What `answer` is where the server refused. */
export function refused(status: number, code: string, message: unknown, more: object = {}): Answer {
  const error = expect.objectContaining({ code, message, ...more })
  return { data: null, error, count: null, status, statusText: texts[status] ?? '' }
}

export const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$/)
