import { failure } from '../errors/index.ts'
import { shareMemories } from '../keys/memory.ts'
import { isRead } from '../methods.ts'
import { confirmRight, type Need, withRight } from '../people/right.ts'
import { requireRole } from '../people/roles.ts'
import type { Session } from '../people/sessions.ts'
import { type BodyLimits, parseBody, type Sender } from '../request/parse-body.ts'
import { isCounted } from '../request/read-body.ts'
import type { Database } from '../store/database.ts'
import type { SettingsContext, SettingsRoute } from './context.ts'

/** A request before its right is checked. */
interface Asked extends Pick<SettingsContext, 'db' | 'http' | 'params' | 'exchange' | 'from' | 'site' | 'people'> {
  readonly session: Session
}

/** What a route says of the right that it needs. */
type Asking = Pick<SettingsRoute, 'method' | 'role' | 'worksOnEnding'>

const bodyBytesMax = 64 * 1024

/** The context of a handler, if the role of the person allows the request. */
export function openContext(asked: Asked, route: Asking): SettingsContext {
  const { db, http, exchange, site, session } = asked
  const need = needOf(session, route)
  const confirm = async () => need && (await confirmRight(db, need))
  return {
    ...{ http, params: asked.params, exchange, from: asked.from, site, people: asked.people },
    ...session,
    db: need ? guarded(db, need) : db,
    unguarded: db,
    need,
    confirm,
    json: async (bytesMax = bodyBytesMax) => {
      const { bytes } = site.limits
      const share = session.company ? 'company' : 'other'
      const hold = isCounted(http.headers) && bytes ? bytes.hold(exchange.lane(), share) : null
      const sender = { arrivedAt: exchange.startedAt, hold }
      const body = await parseObject(http, { ...site.limits, bodyBytesMax: bytesMax }, sender).finally(() =>
        hold?.release(),
      )
      await confirm()
      return body
    },
    requiring: (role) => openContext(asked, { ...route, role }),
  }
}

/** What is changed by it takes effect in this process at once. */
function guarded(db: Database, need: Need): Database {
  const view = withRight(db, need)
  shareMemories(db, view)
  return view
}

/** The right that the person needs and has now; null if nobody has to be signed in. */
function needOf({ sessionId, person, company }: Session, { method, role, worksOnEnding }: Asking): Need | null {
  if (role === 'public') return null
  const need = { sessionId, personId: person.id }
  if (role === 'person') return { ...need, membership: null }
  if (!company) throw failure.forbidden('Create a company first, or ask to be invited to one.')
  requireRole(company.role, role)
  if (company.requiresTwoFactor && !person.hasTwoFactor) throw failure.twoFactorRequired()
  const changesCompany = !isRead(method) && worksOnEnding !== true
  if (changesCompany && company.deleteAfter) throw failure.companyEnding()
  return { ...need, membership: { companyId: company.id, role, changesCompany } }
}

async function parseObject(http: Request, limits: BodyLimits, sender: Sender): Promise<Record<string, unknown>> {
  const type = http.headers.get('content-type') ?? 'none'
  if (!/^application\/json\s*(;|$)/i.test(type)) throw failure.contentTypeUnsupported(type, 'application/json')
  const { single, rows } = await parseBody(http, limits, sender)
  const [object] = rows
  if (!single || !object) throw failure.settingsBodyInvalid('The body is no JSON object', 'Send one JSON object.')
  return object
}
