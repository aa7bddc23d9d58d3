import type { Webhook } from '../api-types.ts'

/** `99.5 %`, of the latest attempts. Only none and all are whole numbers. */
export function successText({ attempts, received }: Pick<Webhook, 'attempts' | 'received'>): string {
  if (attempts === 0) return 'No attempts'
  if (received === 0) return '0 %'
  if (received === attempts) return '100 %'
  return `${Math.max(0.1, Math.min(99.9, (100 * received) / attempts)).toFixed(1)} %`
}

/** The server counts no further than that. */
const pendingMax = 1000

export const pendingText = ({ pending }: Pick<Webhook, 'pending'>): string =>
  pending >= pendingMax ? `${pendingMax.toLocaleString('en')} or more` : String(pending)
