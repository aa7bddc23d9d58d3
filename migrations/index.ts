import postgresStart from './postgres/0001-start.sql' with { type: 'text' }
import postgresPeople from './postgres/0002-people.sql' with { type: 'text' }
import postgresIdempotency from './postgres/0003-idempotency.sql' with { type: 'text' }
import postgresRateLimit from './postgres/0004-rate-limit.sql' with { type: 'text' }
import postgresStatistics from './postgres/0005-statistics.sql' with { type: 'text' }
import postgresCompanySizes from './postgres/0006-company-sizes.sql' with { type: 'text' }
import postgresLiveCredentials from './postgres/0007-live-credentials.sql' with { type: 'text' }
import postgresEvents from './postgres/0008-events.sql' with { type: 'text' }
import postgresFields from './postgres/0009-fields.sql' with { type: 'text' }
import postgresWebhooks from './postgres/0010-webhooks.sql' with { type: 'text' }
import postgresRequestLog from './postgres/0011-request-log.sql' with { type: 'text' }
import postgresCredentialAccess from './postgres/0012-credential-access.sql' with { type: 'text' }
import postgresAccounts from './postgres/0013-accounts.sql' with { type: 'text' }
import postgresPasskeys from './postgres/0014-passkeys.sql' with { type: 'text' }
import postgresLongRows from './postgres/0015-long-rows.sql' with { type: 'text' }
import sqliteStart from './sqlite/0001-start.sql' with { type: 'text' }
import sqlitePeople from './sqlite/0002-people.sql' with { type: 'text' }
import sqliteIdempotency from './sqlite/0003-idempotency.sql' with { type: 'text' }
import sqliteRateLimit from './sqlite/0004-rate-limit.sql' with { type: 'text' }
import sqliteStatistics from './sqlite/0005-statistics.sql' with { type: 'text' }
import sqliteCompanySizes from './sqlite/0006-company-sizes.sql' with { type: 'text' }
import sqliteLiveCredentials from './sqlite/0007-live-credentials.sql' with { type: 'text' }
import sqliteEvents from './sqlite/0008-events.sql' with { type: 'text' }
import sqliteFields from './sqlite/0009-fields.sql' with { type: 'text' }
import sqliteWebhooks from './sqlite/0010-webhooks.sql' with { type: 'text' }
import sqliteRequestLog from './sqlite/0011-request-log.sql' with { type: 'text' }
import sqliteCredentialAccess from './sqlite/0012-credential-access.sql' with { type: 'text' }
import sqliteAccounts from './sqlite/0013-accounts.sql' with { type: 'text' }
import sqlitePasskeys from './sqlite/0014-passkeys.sql' with { type: 'text' }
import sqliteLongRows from './sqlite/0015-long-rows.sql' with { type: 'text' }

/** Every step of the schema, oldest first. A step that was released never changes; what comes after it is a new one. */
export const migrations = [
  { number: 1, name: 'start', sqlite: sqliteStart, postgres: postgresStart },
  { number: 2, name: 'people', sqlite: sqlitePeople, postgres: postgresPeople },
  { number: 3, name: 'idempotency', sqlite: sqliteIdempotency, postgres: postgresIdempotency },
  { number: 4, name: 'rate-limit', sqlite: sqliteRateLimit, postgres: postgresRateLimit },
  { number: 5, name: 'statistics', sqlite: sqliteStatistics, postgres: postgresStatistics },
  { number: 6, name: 'company-sizes', sqlite: sqliteCompanySizes, postgres: postgresCompanySizes },
  { number: 7, name: 'live-credentials', sqlite: sqliteLiveCredentials, postgres: postgresLiveCredentials },
  { number: 8, name: 'events', sqlite: sqliteEvents, postgres: postgresEvents },
  { number: 9, name: 'fields', sqlite: sqliteFields, postgres: postgresFields },
  { number: 10, name: 'webhooks', sqlite: sqliteWebhooks, postgres: postgresWebhooks },
  { number: 11, name: 'request-log', sqlite: sqliteRequestLog, postgres: postgresRequestLog },
  { number: 12, name: 'credential-access', sqlite: sqliteCredentialAccess, postgres: postgresCredentialAccess },
  { number: 13, name: 'accounts', sqlite: sqliteAccounts, postgres: postgresAccounts },
  { number: 14, name: 'passkeys', sqlite: sqlitePasskeys, postgres: postgresPasskeys },
  { number: 15, name: 'long-rows', sqlite: sqliteLongRows, postgres: postgresLongRows },
] as const
