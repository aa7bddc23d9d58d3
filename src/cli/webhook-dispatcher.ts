import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import { createMail } from '../people/mail.ts'
import type { Database } from '../store/database.ts'
import { createDisable } from '../webhooks/disable.ts'
import { createDispatcher, type Dispatcher } from '../webhooks/dispatch/dispatcher.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'

interface Parts {
  readonly db: Database
  readonly log: Log
  /** Called when a mail is sent: the port may be unknown before. */
  baseUrl(): string
}

/** The dispatcher of webhooks as the settings want it. It does nothing until it is started. */
export function createWebhookDispatcher(config: Config, { db, log, baseUrl }: Parts): Dispatcher {
  const { smtpUrl, mailFrom, eventsKeptMs } = config
  const reports = (event: string) => (error: unknown) => log.error(event, { cause: String(error) })
  const mail = smtpUrl === null ? null : createMail(smtpUrl, mailFrom)
  const disable = createDisable({ db, mail, eventsKeptMs, baseUrl, failed: reports('mail') })
  return createDispatcher({ db, ...createWebhooks(config), disable, failed: reports('webhooks') })
}
