import type { App } from './app.ts'
import { failure } from './errors/index.ts'
import { respondLive, respondReady } from './health.ts'
import type { Log } from './log/log.ts'
import { isRead } from './methods.ts'
import type { Answer } from './response/answer.ts'
import { respondWithError } from './response/respond-with-error.ts'
import type { Database } from './store/database.ts'

export interface AdminParts {
  readonly db: Database
  readonly log: Log
  metrics(): Promise<string>
}

/** The routes of the operator, on a port of their own. */
export function createAdmin({ db, log, metrics }: AdminParts): App {
  const routes: Readonly<Record<string, (http: Request) => Answer | Promise<Answer>>> = {
    '/metrics': (http) => respondWithMetrics(http, metrics),
    '/health/live': respondLive,
    '/health/ready': (http) => respondReady(http, db),
  }
  const route = async (http: Request): Promise<Answer> => {
    // Without a Host header there is nothing but the path.
    const { pathname } = new URL(http.url, 'http://admin')
    const respond = routes[pathname]
    if (!respond) throw failure.pathUnknown()
    return respond(http)
  }
  return async (http) => {
    const answer = await route(http).catch((thrown: unknown) => {
      const { error, ...answer } = respondWithError(thrown)
      if (error.cause !== undefined) log.error('admin', { code: error.code, cause: String(error.cause) })
      return answer
    })
    return new Response(String(answer.body), {
      status: answer.status,
      headers: { ...answer.headers, 'Cache-Control': 'no-store' },
    })
  }
}

async function respondWithMetrics({ method }: Request, metrics: () => Promise<string>): Promise<Answer> {
  if (!isRead(method)) throw failure.methodUnsupported(method, 'GET,HEAD')
  return { status: 200, headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }, body: await metrics() }
}
