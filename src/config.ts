/** Everything that an operator can set, read once at the start. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
  readonly rowsMax: number | null
  readonly bodyBytesMax: number
  readonly idleTimeoutS: number
  readonly demo: boolean
  readonly log: 'json' | 'text' | 'off'
}

interface Setting {
  readonly fallback: string
  readonly meaning: string
}

/** The variables of the environment, each with its default. The README shows the same table; a test holds the two equal. */
export const settings = {
  HOST: { fallback: '127.0.0.1', meaning: 'Address to listen on. `0.0.0.0` opens the service to the network.' },
  PORT: { fallback: '8080', meaning: 'Port to listen on.' },
  DATABASE_URL: {
    fallback: 'data/project-api.db',
    meaning: 'A file for SQLite, or `postgres://user:password@host:5432/name`.',
  },
  DATABASE_CONNECTIONS: { fallback: '10', meaning: 'Connections to PostgreSQL, at most.' },
  STATEMENT_TIMEOUT_MS: { fallback: '30000', meaning: 'How long PostgreSQL may work on one statement.' },
  MAX_ROWS: { fallback: 'none', meaning: 'Rows in one answer, at most, or `none`.' },
  MAX_BODY_BYTES: { fallback: '10485760', meaning: 'Size of a request body, at most.' },
  IDLE_TIMEOUT_S: {
    fallback: '60',
    meaning: 'Seconds without a byte after which a connection is closed, 255 at most.',
  },
  DEMO: { fallback: 'on', meaning: 'Whether a new embedded database gets demo data: `on` or `off`.' },
  LOG: { fallback: 'auto', meaning: '`json`, `text`, `off`, or `auto`: text on a terminal and JSON elsewhere.' },
} as const satisfies Record<string, Setting>

type Name = keyof typeof settings

/** A setting that cannot be used. Its message names the variable and what it takes. */
export class ConfigError extends Error {}

export function readConfig(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Config {
  const text = (name: Name): string => env[name]?.trim() || settings[name].fallback
  const integer = (name: Name, min: number, max: number): number => {
    const value = Number(text(name))
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, but is "${text(name)}".`)
    }
    return value
  }
  const choice = <Choice extends string>(name: Name, choices: readonly Choice[]): Choice => {
    const found = choices.find((one) => one === text(name))
    if (found === undefined)
      throw new ConfigError(`${name} must be one of ${choices.join(', ')}, but is "${text(name)}".`)
    return found
  }
  const log = choice('LOG', ['auto', 'json', 'text', 'off'])
  return Object.freeze({
    host: text('HOST'),
    port: integer('PORT', 0, 65_535),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    connectionsMax: integer('DATABASE_CONNECTIONS', 1, 1000),
    statementTimeoutMs: integer('STATEMENT_TIMEOUT_MS', 1, 3_600_000),
    rowsMax: text('MAX_ROWS') === 'none' ? null : integer('MAX_ROWS', 1, 1_000_000_000),
    bodyBytesMax: integer('MAX_BODY_BYTES', 1, 1_073_741_824),
    idleTimeoutS: integer('IDLE_TIMEOUT_S', 1, 255),
    demo: choice('DEMO', ['on', 'off']) === 'on',
    log: log !== 'auto' ? log : isTerminal ? 'text' : 'json',
  })
}

function databaseUrl(url: string): string {
  const [, scheme] = /^([a-z][a-z0-9+]*):/i.exec(url) ?? []
  if (scheme !== undefined && !['sqlite', 'postgres', 'postgresql'].includes(scheme.toLowerCase())) {
    throw new ConfigError(
      `DATABASE_URL must be the path of a file or begin with "postgres://", but begins with "${scheme}:".`,
    )
  }
  if (scheme?.toLowerCase().startsWith('postgres') && !URL.canParse(url)) {
    throw new ConfigError('DATABASE_URL is not a valid address. Write it as postgres://user:password@host:5432/name.')
  }
  return url
}
