import { createField } from '../fields/fields.ts'
import { latestResources } from '../fields/own-resources.ts'
import { createCredential } from '../keys/credentials.ts'
import { createPerson, hasPeople, makePassword } from '../people/accounts.ts'
import { commandLine } from '../people/audit.ts'
import { createFirstCompany } from '../people/companies.ts'
import { joinCompany } from '../people/members.ts'
import { makePlan } from '../plan/make-plan.ts'
import { parseRequest } from '../request/parse-request.ts'
import type { Payload } from '../request/payload.ts'
import type { Database } from '../store/database.ts'
import { execute } from '../store/execute.ts'
import { demoBids, demoChanges, demoFields } from './demo-data.ts'
import { operatorFor } from './operator.ts'

export interface Demo {
  readonly apiKey: string
  readonly apiSecret: string
  readonly bidId: string
  /** To sign in to the settings page. */
  readonly email: string
  readonly password: string
}

/** Creates a company with fields, bids, projects, a credential and a person. null if the database is not new. */
export async function createDemo(db: Database): Promise<Demo | null> {
  if (await hasPeople(db)) return null
  const company = await createFirstCompany(db, 'Demo company')
  if (!company) return null
  const companyId = company.id
  for (const field of demoFields) await createField(db, companyId, field)
  const bidId = await createDemoRows(db, companyId)
  const { apiKey, apiSecret } = await createCredential(db, {
    companyId,
    name: 'Demo',
    access: 'read-write',
    expiresAt: null,
  })
  return { apiKey, apiSecret, bidId, ...(await createDemoPerson(db, companyId)) }
}

/** Returns the id of the first bid. */
async function createDemoRows(db: Database, companyId: string): Promise<string> {
  const write = await writerFor(db, companyId)
  const bidIds: string[] = []
  for (const { bid, projects } of demoBids) {
    const { id } = JSON.parse(await write('POST', 'bid', 'select=id', { single: true, rows: [bid] }))
    bidIds.push(id)
    await write('POST', 'project', '', { single: false, rows: projects.map((one) => ({ ...one, bid_id: id })) })
  }
  for (const { query, change } of demoChanges) await write('PATCH', 'project', query, { single: true, rows: [change] })
  return bidIds[0] ?? ''
}

type Write = (method: 'POST' | 'PATCH', name: string, query: string, rows: Omit<Payload, 'text'>) => Promise<string>

/** Uses the same plans as the API. */
async function writerFor(db: Database, companyId: string): Promise<Write> {
  const actor = await operatorFor(db, companyId)
  const resources = await latestResources(db, companyId)
  return async (method, name, query, rows) => {
    const resource = resources.find((one) => one.name === name)
    if (!resource) throw new Error(`There is no resource ${name}`)
    const request = parseRequest(method, query, new Headers())
    const payload = { text: '', ...rows }
    return (await execute(db, makePlan({ request, payload, resource, companyId, actor, rowsMax: null }))).text
  }
}

async function createDemoPerson(db: Database, companyId: string): Promise<Pick<Demo, 'email' | 'password'>> {
  const made = { name: 'Demo', email: 'demo@example.com', password: makePassword() }
  await createPerson(db, made, 'operator', (personId) =>
    joinCompany(commandLine, { companyId, personId, email: made.email, role: 'owner' }),
  )
  return made
}
