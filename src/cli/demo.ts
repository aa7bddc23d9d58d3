import { createCredential } from '../keys/credentials.ts'
import { createPerson, hasPeople, makePassword } from '../people/accounts.ts'
import { commandLine } from '../people/audit.ts'
import { createFirstCompany } from '../people/companies.ts'
import { joinCompany } from '../people/members.ts'
import { makePlan } from '../plan/make-plan.ts'
import { parseRequest } from '../request/parse-request.ts'
import { project } from '../resources/index.ts'
import type { Database } from '../store/database.ts'
import { execute } from '../store/execute.ts'
import { createBid } from './bid.ts'
import { operatorFor } from './operator.ts'

export interface Demo {
  readonly apiKey: string
  readonly apiSecret: string
  readonly bidId: string
  /** To sign in to the settings page. */
  readonly email: string
  readonly password: string
}

const bids = {
  'Harbour bridge': ['Pile foundations', 'Steel deck', 'Approach road'],
  'School extension': ['Gymnasium', 'Roof garden'],
} as const

/** Creates a company with bids, projects, a credential and a person. null if the database is not new. */
export async function createDemo(db: Database): Promise<Demo | null> {
  if (await hasPeople(db)) return null
  const company = await createFirstCompany(db, 'Demo company')
  if (!company) return null
  const companyId = company.id
  const actor = await operatorFor(db, companyId)
  let bidId = ''
  for (const [name, projects] of Object.entries(bids)) {
    const { id } = await createBid(db, companyId, name)
    bidId ||= id
    const payload = { text: '', single: false, rows: projects.map((project_name) => ({ bid_id: id, project_name })) }
    const request = parseRequest('POST', '', new Headers())
    await execute(db, makePlan({ request, payload, resource: project, companyId, actor, rowsMax: null }))
  }
  const { apiKey, apiSecret } = await createCredential(db, {
    companyId,
    name: 'Demo',
    access: 'read-write',
    expiresAt: null,
  })
  return { apiKey, apiSecret, bidId, ...(await createDemoPerson(db, companyId)) }
}

async function createDemoPerson(db: Database, companyId: string): Promise<Pick<Demo, 'email' | 'password'>> {
  const made = { name: 'Demo', email: 'demo@example.com', password: makePassword() }
  await createPerson(db, made, 'operator', (personId) =>
    joinCompany(commandLine, { companyId, personId, email: made.email, role: 'owner' }),
  )
  return made
}
