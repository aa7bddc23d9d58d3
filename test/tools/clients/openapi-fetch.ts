// openapi-typescript makes types alone; openapi-fetch is its client.
import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript.ts'
import { bidId, headers, print, url } from './surroundings.ts'

const client = createClient<paths>({ baseUrl: url, headers })

const created = await client.POST('/project', { body: { bid_id: bidId, project_name: 'Bridge' } })
if (!created.data) throw new Error(created.error.message)
const { id } = created.data

const updated = await client.PATCH('/project', {
  params: { query: { id: `eq.${id}` }, header: { Prefer: 'return=representation' } },
  body: { project_name: 'Tunnel' },
})
const [changed] = updated.data ?? []

const listed = await client.GET('/project', {
  params: { query: { project_name: ['ilike.*e*', 'neq.Bridge'], order: 'created_at.desc' } },
})
const names: string[] = (listed.data ?? []).map(({ project_name }) => project_name)

const refused = await client.POST('/project', { body: { bid_id: id, project_name: 'Dam' } })
const code: string | undefined = refused.error?.code

print({ created: created.data.project_name, changed: changed?.project_name, names, code })
