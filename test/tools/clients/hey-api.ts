import { client } from '../generated/hey-api/client.gen.ts'
import { createProject, listProject, updateProject } from '../generated/hey-api/sdk.gen.ts'
import { bidId, headers, print, url } from './surroundings.ts'

client.setConfig({ baseUrl: url, headers })

const created = await createProject({ body: { bid_id: bidId, project_name: 'Bridge' } })
if (!created.data) throw new Error(created.error.message)
const { id } = created.data

const updated = await updateProject({
  query: { id: `eq.${id}` },
  headers: { Prefer: 'return=representation' },
  body: { project_name: 'Tunnel' },
})
const [changed] = updated.data ?? []

const listed = await listProject({
  query: { project_name: ['ilike.*e*', 'neq.Bridge'], order: 'created_at.desc' },
})
const names: string[] = (listed.data ?? []).map(({ project_name }) => project_name)

const refused = await createProject({ body: { bid_id: id, project_name: 'Dam' } })
const code: string | undefined = refused.error?.code

print({ created: created.data.project_name, changed: changed?.project_name, names, code })
