import type { EventActor } from '../plan/plan.ts'
import type { Database } from '../store/database.ts'
import { sql } from '../store/sql.ts'

/** Who changes rows on the command line, for their events; null where the company wants no events. */
export async function operatorFor(db: Database, companyId: string): Promise<EventActor | null> {
  const [[events] = []] = await db.read(sql`select events from company where id = ${companyId}`)
  return events === 'on' ? { kind: 'operator', id: null } : null
}
