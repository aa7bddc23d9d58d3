import { Counter, Gauge, type Registry } from 'prom-client'

/** What is known of webhooks. */
export interface DeliveryFigures {
  /** By outcome. */
  readonly attempts: Readonly<Record<string, number>>
  backlog(): Promise<Backlog>
}

interface Backlog {
  readonly pending: number
  readonly oldestAt: Date | null
}

/** The backlog is read from the database when metrics are requested, and is that of all instances. */
export function measureWebhooks(registry: Registry, { attempts, backlog }: DeliveryFigures): void {
  const registers = [registry]
  new Counter({
    name: 'project_api_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(attempts)) this.inc({ outcome }, count)
    },
  })
  // Both gauges are collected at the same time.
  let reading: ReturnType<typeof backlog> | null = null
  const read = () => {
    reading ??= backlog().finally(() => {
      reading = null
    })
    return reading
  }
  const gauge = (name: string, help: string, pick: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        try {
          this.set(pick(await read()))
        } catch {
          // The other metrics say that the database is away.
          this.remove()
        }
      },
    })
  gauge(
    'project_api_webhook_backlog',
    'Events that wait to be delivered to a webhook, counted up to 10,000.',
    ({ pending }) => pending,
  )
  gauge(
    'project_api_webhook_oldest_seconds',
    'Age of the oldest of these events; 0 if there is none.',
    ({ oldestAt }) => (oldestAt === null ? 0 : Math.max(0, Date.now() - oldestAt.getTime()) / 1000),
  )
}
