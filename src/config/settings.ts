interface Setting {
  readonly fallback: string
  readonly meaning: string
}

/** The environment variables with their defaults. docs/configuration.md has the same table; a test compares the two. */
export const settings = {
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on. `0.0.0.0` opens the service to the network.' },
  PORT: { fallback: '8080', meaning: 'Port to listen on.' },
  DATABASE_URL: {
    fallback: 'data/project-api.db',
    meaning:
      'A file for SQLite, or `postgres://user:password@host:5432/name`. It may have parameters: `sslmode` and others of libpq, `schema=name`, `pgbouncer=true` behind PgBouncer in transaction mode, `citus=true` for a Citus cluster.',
  },
  DATABASE_CONNECTIONS: {
    fallback: '10',
    meaning:
      'Connections to PostgreSQL, or to each node of a Citus cluster, that serve requests. Up to three more are for statements of unusual length, two for what the service does by itself, and one for live streams. Workers share them, but each has its own additional ones.',
  },
  WORKERS: {
    fallback: '1',
    meaning: 'Processes that share the port (PostgreSQL on Linux only). Use one for each available core.',
  },
  STATEMENT_TIMEOUT_MS: { fallback: '30000', meaning: 'Time limit of one database statement, in milliseconds.' },
  QUEUE_MAX: {
    fallback: '2000',
    meaning: 'Maximum requests that wait for the database. One company may use half of it. Further requests get 503.',
  },
  MAX_ROWS: { fallback: 'none', meaning: 'Maximum rows in one response, or `none`.' },
  MAX_CREDENTIALS: {
    fallback: '500',
    meaning: 'Maximum credentials of one company. Revoked ones do not count.',
  },
  RATE_LIMIT: {
    fallback: 'none',
    meaning:
      'Maximum requests of one credential: `100/s`, `6000/m`, or `none`. Its company can set a lower limit, not a higher one. Each process counts separately.',
  },
  RATE_LIMIT_TOTAL: {
    fallback: 'none',
    meaning: 'Maximum requests of all clients together to one process. Further requests get 503.',
  },
  AUTH_FAILURE_LIMIT: {
    fallback: '600/m',
    meaning:
      'Maximum requests without a valid key from one IPv4 address or one IPv6 /64 network, or `none`. Further ones get 429. It never affects requests with a valid key.',
  },
  MAX_BODY_BYTES: { fallback: '10485760', meaning: 'Maximum size of a request body, after decompression.' },
  MAX_BYTES_IN_FLIGHT: {
    fallback: '134217728',
    meaning:
      'Maximum memory of one process for request bodies and responses in flight. One company may use a quarter of it. Further requests get 503.',
  },
  MAX_LIVE_STREAMS: {
    fallback: '2000',
    meaning: 'Maximum live streams of one process. One company may have a tenth of them. Further ones get 503 or 429.',
  },
  EVENTS_KEPT: {
    fallback: '30d',
    meaning:
      'How long events are kept, in days (`30d`) or hours (`12h`). Live streams and readers go on from an event that is kept.',
  },
  COMPRESS: {
    fallback: 'on',
    meaning:
      'Whether responses over 16 KiB are compressed with zstd or gzip for clients that accept it: `on` or `off`, where a proxy in front does it.',
  },
  IDLE_TIMEOUT_S: {
    fallback: '60',
    meaning: 'Seconds after which an idle connection is closed, at most 255.',
  },
  STOP_TIMEOUT_S: {
    fallback: '10',
    meaning: 'Seconds that running requests have to finish after a stop signal. Then their connections are closed.',
  },
  ADMIN_PORT: {
    fallback: 'none',
    meaning: 'Separate port for `/metrics` and health, or `none`.',
  },
  ADMIN_HOST: {
    fallback: '127.0.0.1',
    meaning: 'Address that `ADMIN_PORT` listens on. Everyone who can reach it can read the metrics.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: 'none',
    meaning: 'An OpenTelemetry collector for traces, such as `http://127.0.0.1:4318`, or `none`.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    fallback: 'none',
    meaning: 'Headers for the collector: `name=value,name=value`, with URL-encoded values, or `none`.',
  },
  OTEL_SERVICE_NAME: { fallback: 'project-api', meaning: 'Name of this service in traces.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    fallback: 'none',
    meaning:
      'Further attributes of this service in traces: `deployment.environment.name=production,name=value`, with URL-encoded values, or `none`.',
  },
  REQUEST_LOG: {
    fallback: 'on',
    meaning:
      'Whether the last requests of each company are kept for its people, without secrets and bodies: `on` or `off`. At most 7 days and 100,000 of each company.',
  },
  DEMO: { fallback: 'on', meaning: 'Whether a new embedded database gets demo data: `on` or `off`.' },
  LOG: { fallback: 'auto', meaning: '`json`, `text`, `off`, or `auto`: text on a terminal and JSON elsewhere.' },
  LOG_LEVEL: {
    fallback: 'info',
    meaning:
      'The least important events in the log: `error`, `warn`, `info`, or `debug`, which adds requests for `/health/`.',
  },
  BASE_URL: {
    fallback: 'http://HOST:PORT',
    meaning:
      'Public URL of the service, such as `https://api.example.com`. Required for every host name except `localhost`. With https, cookies are Secure. Passkeys work at this URL only, with https or `localhost`.',
  },
  SIGNUP: {
    fallback: 'invite',
    meaning: 'Who may sign up after the first person: only invited people (`invite`) or everyone (`open`).',
  },
  TRUST_PROXY: {
    fallback: 'off',
    meaning:
      'Whether to take the client’s address from `X-Forwarded-For`: `on`, `off`, or the number of proxies in front.',
  },
  TLS_CERT: {
    fallback: 'none',
    meaning: 'A PEM file with the certificate and its chain, for https without a proxy, or `none`. Needs `TLS_KEY`.',
  },
  TLS_KEY: { fallback: 'none', meaning: 'A PEM file with the private key of `TLS_CERT`, or `none`.' },
  AUTH_SECRET: {
    fallback: 'auto',
    meaning:
      'Secret that signs session cookies and encrypts the keys of two-factor sign-in and the secrets of webhooks, at least 32 characters. `auto`: created once and stored in the database; the secrets of webhooks are then encrypted by `WEBHOOK_KEY_FILE`.',
  },
  OIDC_ISSUER: {
    fallback: 'none',
    meaning:
      'A provider of sign-ins by OpenID Connect, `https://id.example.com`, or `none`. Needs the two settings below.',
  },
  OIDC_CLIENT_ID: { fallback: 'none', meaning: 'The id of this service at `OIDC_ISSUER`.' },
  OIDC_CLIENT_SECRET: { fallback: 'none', meaning: 'The secret of this service at `OIDC_ISSUER`.' },
  OIDC_NAME: { fallback: 'OpenID Connect', meaning: 'What the button for it says: *Continue with* this name.' },
  SMTP_URL: { fallback: 'none', meaning: 'Mail server, `smtp://user:password@host:587`, or `none`.' },
  MAIL_FROM: { fallback: 'project-api@localhost', meaning: 'Sender of invitations and password reset links.' },
  WEBHOOK_LOOPBACK: {
    fallback: 'off',
    meaning:
      'Whether webhooks may be sent to this machine, by `http` or `https`: `on` or `off`. For development and tests only.',
  },
  WEBHOOK_KEY_FILE: {
    fallback: 'auto',
    meaning:
      'File with the key that encrypts the secrets of webhooks, unless `AUTH_SECRET` is set. It is created if it is missing. `auto`: beside the SQLite file with the ending `.key`, or `data/webhook.key`.',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
