import { define, type Failures } from './define.ts'

/** Webhooks in the settings page. */
export const webhooks = {
  tooManyWebhooks: define(409, 'too_many_webhooks', (most: number) => ({
    message: `The company has ${most} webhooks, which is the most`,
    hint: 'Delete webhooks that nothing uses any more, or let one endpoint receive more types of events.',
  })).inSettings(50),
  webhookUrlRefused: define(400, 'webhook_url_refused', (reason: string) => ({
    message: `Nothing can be sent to this URL. ${reason}`,
    hint: 'Use the https URL of a server that is reachable from the internet.',
  })).inSettings('10.0.0.1 is a private or reserved address'),
} satisfies Failures
