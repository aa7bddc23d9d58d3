import { Counter, Gauge, type Registry } from 'prom-client'
import type { EventFeed } from '../events/event-feed.ts'
import type { Live } from '../events/live/create-live.ts'
import type { Database } from '../store/database.ts'
import type { ByteBudget } from '../traffic/byte-budget.ts'
import type { Lane } from '../traffic/lane.ts'
import type { RequestTurns } from '../traffic/loop-turns.ts'
import type { Load } from '../traffic/turns.ts'

/** All queues of the service. */
export interface Queues {
  readonly db: Pick<Database, 'dialect' | 'load'>
  readonly turns: RequestTurns
  /** Look-ups of keys. */
  readonly lookUps: Pick<Lane, 'load'>
  readonly bytes: Pick<ByteBudget, 'load'>
  /** Left out: there are none. */
  readonly events?: { readonly feed: Pick<EventFeed, 'counts'>; readonly live: Pick<Live, 'count'> }
}

/** The values are read when metrics are requested, so that requests pay nothing for them. */
export function measureStore(registry: Registry, { db, turns, lookUps, bytes, events }: Queues): void {
  const registers = [registry]
  const loads = (): Record<string, Load> => ({
    reads: turns.reads.load(),
    writes: turns.writes.load(),
    lookups: lookUps.load(),
    ...db.load().queues,
  })
  const gauge = (name: string, help: string, pick: (load: Load) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, load] of Object.entries(loads())) this.set({ queue }, pick(load))
      },
    })
  gauge('project_api_queue_under_way', 'Running work, by queue.', ({ underWay }) => underWay)
  gauge('project_api_queue_waiting', 'Queued work.', ({ waiting }) => waiting)
  new Counter({
    name: 'project_api_queue_refused_total',
    help: 'Work that was refused as overloaded: the queue was full, or the wait too long.',
    labelNames: ['queue'],
    registers,
    collect() {
      this.reset()
      for (const [queue, { refused }] of Object.entries(loads())) this.inc({ queue }, refused)
    },
  })
  measureBytes(registry, bytes)
  if (events) measureEvents(registry, events)
  const { connectionsMax, groupCommits } = db.load()
  if (connectionsMax !== null)
    new Gauge({
      name: 'project_api_store_connections_max',
      help: 'Maximum connections of this process to PostgreSQL.',
      registers,
    }).set(connectionsMax)
  if (groupCommits) measureCommits(registry, db)
}

function measureBytes(registry: Registry, bytes: Queues['bytes']): void {
  const registers = [registry]
  new Gauge({
    name: 'project_api_bytes_in_flight',
    help: 'Bytes of request bodies and responses in flight.',
    registers,
    collect() {
      this.set(bytes.load().held)
    },
  })
  new Counter({
    name: 'project_api_bytes_refused_total',
    help: 'Requests that were refused as overloaded because too many bytes were in flight.',
    registers,
    collect() {
      this.reset()
      this.inc(bytes.load().refused)
    },
  })
}

function measureEvents(registry: Registry, { feed, live }: NonNullable<Queues['events']>): void {
  const registers = [registry]
  new Counter({
    name: 'project_api_events_numbered_total',
    help: 'Events that this process has numbered after their commit.',
    registers,
    collect() {
      this.reset()
      this.inc(feed.counts().numbered)
    },
  })
  new Gauge({
    name: 'project_api_events_companies_waiting',
    help: 'Companies whose events this process is about to number.',
    registers,
    collect() {
      this.set(feed.counts().waiting)
    },
  })
  new Gauge({
    name: 'project_api_live_streams',
    help: 'Open live streams.',
    registers,
    collect() {
      this.set(live.count())
    },
  })
}

function measureCommits(registry: Registry, db: Queues['db']): void {
  const counter = (name: string, help: string, what: 'commits' | 'writes') =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(db.load().groupCommits?.[what] ?? 0)
      },
    })
  counter('project_api_store_commits_total', 'Commits to the SQLite file.', 'commits')
  counter('project_api_store_writes_total', 'Writes in these commits: several can share one.', 'writes')
}
