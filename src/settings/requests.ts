import { failure } from '../errors/index.ts'
import {
  findRequest,
  listRequests,
  type OutcomeChoice,
  outcomeChoices,
  type RequestFilter,
  type StoredRequest,
} from '../request-log/read-requests.ts'
import type { CompanyStore } from '../store/database.ts'
import { isUuid } from '../types/uuid.ts'
import { companyOf, ok, queryOf, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/credentials.ts'
import { searchTextOf } from './search-text.ts'

/** What applications asked for, and how it was answered. */
export const requestsRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/requests', role: 'viewer', handle: list },
  { method: 'GET', path: '/api/requests/:id', role: 'viewer', handle: show },
]

const limitMax = 200

async function list(context: SettingsContext) {
  const { filter, limit } = parseQuery(context.http)
  // One more than is shown, to know whether there are more.
  const found = await listRequests(storeOf(context), filter, limit + 1)
  const requests = found.slice(0, limit).map(documentOf)
  const next = found.length > limit ? (requests.at(-1)?.id ?? null) : null
  return ok<documents.RequestsPage>({ requests, next, is_on: context.site.requestLog })
}

async function show(context: SettingsContext) {
  const found = await findRequest(storeOf(context), context.params.id ?? '')
  if (!found) throw failure.requestUnknown()
  return ok<documents.LoggedRequest>(documentOf(found))
}

const storeOf = (context: SettingsContext): CompanyStore => context.db.forCompany(companyOf(context).id)

function parseQuery(http: Request): { readonly filter: RequestFilter; readonly limit: number } {
  const query = new URLSearchParams(queryOf(http))
  const limit = Number(query.get('limit') || 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw failure.settingsBodyInvalid('"limit" is not as it should be', `Send a number from 1 to ${limitMax}.`)
  const credentialId = idOf(query, 'credential', 'Send the id of a credential, or leave it out.')
  const before = idOf(query, 'before', 'Send the "next" of the page before.')
  const outcome = parseOutcome(query.get('outcome') || null)
  const method = query.get('method')?.toUpperCase() || null
  const status = parseStatus(query.get('status') || null)
  return { filter: { credentialId, outcome, method, status, path: searchTextOf(query, 'path'), before }, limit }
}

function parseStatus(text: string | null): number | null {
  if (text !== null && !/^[1-5]\d\d$/.test(text))
    throw failure.settingsBodyInvalid(
      '"status" is no status of an answer',
      'Send a number such as 404, or leave it out.',
    )
  return text === null ? null : Number(text)
}

function idOf(query: URLSearchParams, name: string, hint: string): string | null {
  const id = query.get(name) || null
  if (id !== null && !isUuid(id)) throw failure.settingsBodyInvalid(`"${name}" is no id`, hint)
  return id
}

function parseOutcome(text: string | null): OutcomeChoice | null {
  const known = outcomeChoices.find((choice) => choice === text)
  if (text !== null && known === undefined)
    throw failure.settingsBodyInvalid(
      '"outcome" is not one of the choices',
      `Send one of ${outcomeChoices.join(', ')}, or leave it out.`,
    )
  return known ?? null
}

const documentOf = ({ credentialId, credentialName, userAgent, leftOut, ...one }: StoredRequest) => ({
  ...one,
  credential_id: credentialId,
  credential_name: credentialName,
  user_agent: userAgent,
  left_out: leftOut,
})
