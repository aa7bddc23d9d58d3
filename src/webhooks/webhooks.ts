import { failure } from '../errors/index.ts'
import type { Seal } from './seal.ts'
import { findSeal, type KeySettings } from './seal-key.ts'
import { createSend, type Send } from './send/send.ts'
import { parseTarget, TargetRefused } from './send/target.ts'

/** What it takes to create endpoints and to send to them. */
export interface Webhooks {
  /** The key is read, or made, when it is first needed. */
  seal(): Seal
  readonly send: Send
  /** The URL of an endpoint in its normal form, or a failure. */
  parseUrl(text: string): string
}

export interface WebhookSettings extends KeySettings {
  readonly webhookLoopback: boolean
}

export function createWebhooks(settings: WebhookSettings): Webhooks {
  const rules = { loopback: settings.webhookLoopback }
  let seal: Seal | null = null
  return {
    seal: () => {
      seal ??= findSeal(settings)
      return seal
    },
    send: createSend(rules),
    parseUrl: (text) => {
      try {
        return parseTarget(text, rules).href
      } catch (error) {
        throw error instanceof TargetRefused ? failure.webhookUrlRefused(error.message) : error
      }
    },
  }
}
