import { openInside } from '../../bench/app.ts'
import { createCredential } from '../../src/keys/credentials.ts'
import { createCompany } from '../../src/people/companies.ts'
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { newDatabase } from '../../test/support/database.ts'
import type { Attempt } from '../proof.ts'

export interface Company {
  readonly id: string
  readonly apiKey: string
  readonly apiSecret: string
  /** A request of this company, to the service in this process. */
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: string | null): Promise<Response>
}

interface Opened {
  readonly db: Database
  readonly companies: readonly Company[]
  serve(http: Request): Promise<Response>
}

/** The service without its socket, on a database of its own, and as many companies as are wanted. */
export async function openCompanies({ engine, ends }: Attempt, count: number): Promise<Opened> {
  const place = await newDatabase(engine)
  ends.defer(() => place.remove())
  const { db, app, close } = openInside(place.url)
  ends.defer(close)
  await migrate(db)
  const serve = async (http: Request) => app(http, () => '127.0.0.1')
  const make = async (at: number): Promise<Company> => {
    const { id } = await createCompany(db, `Company ${at}`)
    const { apiKey, apiSecret } = await createCredential(db, {
      companyId: id,
      name: 'prove',
      access: 'read-write',
      expiresAt: null,
    })
    const own = { apikey: apiKey, 'X-API-Secret': apiSecret }
    return {
      id,
      apiKey,
      apiSecret,
      ask: (method, path, headers = {}, body = null) =>
        serve(new Request(`http://prove/rest/v1${path}`, { method, headers: { ...own, ...headers }, body })),
    }
  }
  const companies: Company[] = []
  for (let at = 0; at < count; at += 1) companies.push(await make(at))
  return { db, companies, serve }
}
