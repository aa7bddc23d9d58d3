import postgresStart from './postgres/0001-start.sql' with { type: 'text' }
import sqliteStart from './sqlite/0001-start.sql' with { type: 'text' }

/** Every step of the schema, oldest first. A step that was released never changes; what comes after it is a new one. */
export const migrations = [{ number: 1, name: 'start', sqlite: sqliteStart, postgres: postgresStart }] as const
