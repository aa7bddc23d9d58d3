import { service } from '../people/audit.ts'
import type { Mail } from '../people/mail.ts'
import { listMembers } from '../people/members.ts'
import type { Companies } from '../store/database.ts'
import { durationText } from '../types/duration.ts'
import type { DisabledReason, Endpoint } from './endpoint.ts'
import { disableEndpoint } from './endpoints.ts'

export interface DisableParts {
  readonly db: Companies
  /** null: owners see it in the settings page alone. */
  readonly mail: Mail | null
  readonly eventsKeptMs: number
  baseUrl(): string
  failed(error: unknown): void
}

const reasons: Readonly<Record<DisabledReason, string>> = {
  gone: 'The endpoint has answered 410 Gone.',
  failing: 'All attempts have failed for 5 days.',
  slow_filter: 'Its condition takes too long to compare with each row, since the company has got other fields.',
  by_hand: '',
}

/** Disables an endpoint that cannot be delivered to, and tells the owners of its company. */
export const createDisable =
  ({ db, mail, eventsKeptMs, baseUrl, failed }: DisableParts) =>
  async (endpoint: Endpoint, reason: DisabledReason): Promise<void> => {
    if (!(await disableEndpoint(db, endpoint, reason, service)) || mail === null) return
    const { companyId, url } = endpoint
    const owners = (await listMembers(db, companyId)).filter(({ role }) => role === 'owner')
    const text = `The webhook to ${url} was disabled. ${reasons[reason]}\n\nNo event is lost: fix this and enable it within ${durationText(eventsKeptMs)}, and it receives what has happened meanwhile.\n\n${baseUrl()}/c/${companyId}/webhooks/${endpoint.id}\n`
    for (const { email } of owners)
      await mail.send({ to: email, subject: 'A webhook was disabled', text }).catch(failed)
  }
