import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createAuthenticate } from '../src/keys/authenticate.ts'
import { createCredential } from '../src/keys/credentials.ts'
import { createUsage } from '../src/keys/usage.ts'
import { createLog } from '../src/log.ts'
import { createCompany } from '../src/people/companies.ts'
import { createRest } from '../src/rest.ts'
import { createSettings } from '../src/settings/create-settings.ts'
import type { Database } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { openDatabase } from '../src/store/open.ts'
import type { Attempt } from './proof.ts'

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
  const place = await engine.makePlace()
  ends.defer(() => place.remove())
  const config = readConfig({ DATABASE_URL: place.url }, false)
  const db = openDatabase(config)
  ends.defer(() => db.close())
  await migrate(db)
  const usage = createUsage(db)
  ends.defer(() => usage.stop())
  const log = createLog('off')
  const rest = createRest({ db, authenticate: createAuthenticate(db), limits: config, rates: config })
  const settings = createSettings(db, config, log, () => 'http://prove')
  const app = createApp({ db, rest, settings, log, trustedProxies: 0, isHttps: false, usage })

  const serve = (http: Request) => app(http, () => '127.0.0.1')
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
