import { createProject, listProject, updateProject } from '../generated/orval.ts'
import { bidId, headers, print } from './surroundings.ts'

const created = await createProject({ bid_id: bidId, project_name: 'Bridge' }, {}, { headers })
if (created.status !== 201) throw new Error(`Answered ${created.status}`)
const { id } = created.data

const updated = await updateProject(
  { project_name: 'Tunnel' },
  { id: `eq.${id}` },
  { headers: { ...headers, Prefer: 'return=representation' } },
)
if (updated.status !== 200) throw new Error(`Answered ${updated.status}`)
const [changed] = updated.data

const query = { project_name: ['ilike.*e*', 'neq.Bridge'], order: 'created_at.desc' }
const listed = await listProject(query, { headers })
if (listed.status !== 200) throw new Error(`Answered ${listed.status}`)
const names: string[] = listed.data.map(({ project_name }) => project_name)

const refused = await createProject({ bid_id: id, project_name: 'Dam' }, {}, { headers })
if (refused.status !== 409) throw new Error(`Answered ${refused.status}`)
const { code } = refused.data

print({ created: created.data.project_name, changed: changed?.project_name, names, code })
