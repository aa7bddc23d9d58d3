import { failure } from './errors/index.ts'
import { isRead } from './methods.ts'
import type { Answer } from './response/answer.ts'
import type { Database } from './store/database.ts'
import { sql } from './store/sql.ts'

export function respondLive({ method }: Request): Answer {
  if (!isRead(method)) throw failure.methodUnsupported(method, 'GET,HEAD')
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: '{"status":"ok"}' }
}

/** Ready means that the database answers. */
export async function respondReady(http: Request, db: Database): Promise<Answer> {
  await db.read(sql`select number from migration order by number desc limit 1`)
  return respondLive(http)
}
