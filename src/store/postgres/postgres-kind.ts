import { judgeAll, type NamedFinding } from '../check.ts'
import { citusVersion } from '../cluster/cluster.ts'
import { examineNodes } from '../cluster/node-checks.ts'
import { spreadOverNodes } from '../cluster/spread.ts'
import type { Database } from '../database.ts'
import type { EngineKind, ExaminedSettings, StoreSettings } from '../engine-kind.ts'
import { examineOpen } from '../examine-open.ts'
import { shareServer } from '../share.ts'
import { withFailures, withLongFailures } from '../with-failures.ts'
import { inspectPostgres } from './inspect-postgres.ts'
import { locationOf, openPostgres, type Postgres } from './postgres.ts'
import { postgresChecks, serverChecks } from './postgres-checks.ts'
import { hasPgBouncer, isDistributed, type PostgresSettings, urlOfNode } from './postgres-connection.ts'
import { remedyForPostgres } from './postgres-remedies.ts'
import { openPostgresSnapshot } from './postgres-snapshot.ts'
import { howToDump, howToRestore } from './postgres-tools.ts'

/** A PostgreSQL server, or the coordinator of a Citus cluster. */
export const postgres: EngineKind = {
  name: 'postgres',
  open,
  openSnapshot: (settings) => openPostgresSnapshot({ url: settings.databaseUrl, ...settings }),
  locationOf,
  requireDatabase: () => {},
  obstacleTo: async (db, url) =>
    // Without the setting, it would be sent statements that Citus refuses.
    !isDistributed(url) && (await citusVersion(db))
      ? `PostgreSQL at ${db.location} has the extension Citus. Add ?citus=true to its address (DATABASE_URL).`
      : null,
  openingFailed: {
    // Never the URL itself: it contains the password.
    what: (location) => `PostgreSQL${location === null ? '' : ` at ${location}`} cannot be used`,
    remedyFor: remedyForPostgres,
  },
  examine,
  backup: howToDump,
  restore: async (file, url) => howToRestore(url, file),
  hasDemo: false,
  canDistribute: true,
}

function open(settings: StoreSettings): Database {
  const { databaseUrl } = settings
  const coordinator = openServer(settings)
  if (!isDistributed(databaseUrl)) return coordinator
  return spreadOverNodes(coordinator, (address) =>
    address === null ? openServer(settings) : openNode({ ...settings, databaseUrl: urlOfNode(databaseUrl, address) }),
  )
}

const openServer = (settings: StoreSettings): Database => shareServer(openWithFailures(settings), settings)

/** A node keeps the plans of what is read often, on connections for these reads alone. */
function openNode(settings: StoreSettings): Database {
  // PgBouncer always leads to the coordinator.
  if (hasPgBouncer(new URL(settings.databaseUrl))) return openServer(settings)
  const planned = openWithFailures(settings, { isNode: true, keepsPlans: true })
  return shareServer(openWithFailures(settings, { isNode: true }), settings, planned)
}

function openWithFailures(
  settings: StoreSettings,
  more: Pick<PostgresSettings, 'isNode' | 'keepsPlans'> = {},
): Postgres {
  const server = openPostgres({ url: settings.databaseUrl, ...settings, ...more })
  const shared = withFailures(server.shared, server)
  const unprepared = withFailures(server.unprepared, server)
  const background = withFailures(server.background, server)
  const own = { ...withFailures(server, server), ...withLongFailures(server), background }
  return { ...server, ...own, shared, unprepared }
}

function examine(config: ExaminedSettings): Promise<NamedFinding[]> {
  return examineOpen(
    () => open(config),
    remedyForPostgres,
    async (db) => [
      ...judgeAll(postgresChecks, { ...(await inspectPostgres(db)), config }),
      ...((await citusVersion(db)) ? await examineNodes(db, serverChecks) : []),
    ],
  )
}
