import { version } from '../../package.json'
import type { Config } from '../config/config.ts'
import type { EventFeed } from '../events/event-feed.ts'
import type { Live } from '../events/live/create-live.ts'
import type { Log } from '../log/log.ts'
import { createMail, type Message } from '../people/mail.ts'
import { createPeople } from '../people/people.ts'
import type { BodyLimits } from '../request/parse-body.ts'
import type { Database } from '../store/database.ts'
import type { RequestTurns } from '../traffic/loop-turns.ts'
import { durationText } from '../types/duration.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { createRouter, type Settings } from './route.ts'

export interface SettingsParts {
  readonly db: Database
  readonly config: Config & Pick<BodyLimits, 'bytes'>
  readonly log: Log
  /** Called at the first request, when the port is known. */
  listeningAt(): string
  readonly turns?: RequestTurns
  readonly events?: { readonly feed: EventFeed; readonly live: Live }
}

/** The API of the settings page. */
export function createSettings({ db, config, log, listeningAt, turns, events }: SettingsParts): Settings {
  const { signup, authSecret, oidc, smtpUrl, mailFrom, credentialsMax, requestLog } = config
  const mail = smtpUrl === null ? null : createMail(smtpUrl, mailFrom)
  const baseUrl = (): string => config.baseUrl ?? listeningAt()
  const failed = (error: unknown, what: 'mail' | 'sign_in' = 'mail'): void =>
    log.error(what, { cause: error instanceof Error ? error.message : String(error) })
  const notify = (message: Message): void => void mail?.send(message).catch((error) => failed(error))
  const webhooks = createWebhooks(config)
  const people = createPeople(db, { signup, authSecret, oidc, mail, baseUrl, failed })
  const site = () => ({
    baseUrl: baseUrl(),
    version,
    signup,
    mail,
    notify,
    oidcName: oidc?.name ?? null,
    credentialsMax,
    requestLog,
    eventsKept: durationText(config.eventsKeptMs),
    webhooks,
    limits: config,
    ...events,
  })
  return createRouter({ db, people, site, ...(turns ? { turns } : {}) })
}
