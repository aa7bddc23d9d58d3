import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import { failure } from '../errors/index.ts'
import type { Database, Row } from '../store/database.ts'
import { empty, identifier, integer, join, keyword, type Sql, sql } from '../store/sql.ts'
import { timestampText } from '../types/timestamp-text.ts'
import { byDigest, tokenDigest } from './session-token.ts'
import { endOldest } from './sessions.ts'

/** The columns of better-auth's tables, created by our migrations. Its models have these names. */
const columns = {
  person: ['id', 'name', 'email', 'email_verified', 'two_factor_enabled', 'image', 'created_at', 'updated_at'],
  session: [
    ...['id', 'person_id', 'token', 'expires_at', 'ip_address', 'user_agent', 'company_id'],
    ...['by_passkey', 'created_at', 'updated_at'],
  ],
  account: [
    ...['id', 'account_id', 'provider_id', 'person_id', 'password', 'access_token', 'refresh_token', 'id_token'],
    ...['access_token_expires_at', 'refresh_token_expires_at', 'scope', 'created_at', 'updated_at'],
  ],
  verification: ['id', 'identifier', 'value', 'expires_at', 'created_at', 'updated_at'],
  two_factor: [
    ...['id', 'person_id', 'secret', 'backup_codes', 'verified', 'failed_verification_count', 'locked_until'],
  ],
  passkey: [
    ...['id', 'person_id', 'name', 'credential_id', 'public_key', 'counter', 'device_type', 'backed_up', 'transports'],
    ...['aaguid', 'created_at'],
  ],
} as const satisfies Record<string, readonly string[]>

/** Makes better-auth read and write through our store, on both engines. */
export const createAdapter = (db: Database) =>
  createAdapterFactory({
    config: { adapterId: 'project-api', supportsNumericIds: false },
    adapter: ({ getFieldName }) => adapterOf(db, getFieldName),
  })

type ColumnName = (named: { readonly model: string; readonly field: string }) => string

function adapterOf(db: Database, columnName: ColumnName): CustomAdapter {
  const write = async (statement: Sql) => (await db.transact([statement]))[0] ?? []
  const changeBy = (model: string, changes: readonly Sql[], where: readonly CleanedWhere[]) =>
    write(
      sql`update ${identifier(model)} set ${join(changes, ', ')} ${matching(byDigest(model, where))} returning ${names(model)}`,
    )
  const change = (model: string, update: object, where: readonly CleanedWhere[]) =>
    changeBy(model, assignments(update), where)
  // If several rows match, only one is deleted, and by one caller only.
  const take = (model: string, where: readonly CleanedWhere[]) =>
    write(sql`delete from ${identifier(model)} where id = (
      select id from ${identifier(model)} ${matching(byDigest(model, where))} order by id limit 1) returning ${names(model)}`)

  // The interface lets its callers name the type of a row, but the type follows from the table.
  const first = <T>(model: string, [row]: readonly Row[]): T | null => (row ? (rowOf(model, row) as T) : null)

  return {
    create: async <T extends Record<string, unknown>>({ model, data }: { model: string; data: T }) => {
      const kept = model === 'session' ? { ...data, token: tokenDigest(String(data.token)) } : data
      const fields = Object.keys(kept).map((name) => identifier(name))
      const values = Object.values(kept).map(bound)
      const made = sql`insert into ${identifier(model)} (${join(fields, ', ')}) values (${join(values, ', ')})`
      await db.transact(model === 'session' ? [made, endOldest(String(data.person_id))] : [made])
      return data
    },
    update: async ({ model, where, update }) => first(model, await change(model, Object(update), where)),
    updateMany: async ({ model, where, update }) => (await change(model, update, where)).length,
    findOne: async ({ model, where }) => {
      const found = sql`select ${names(model)} from ${identifier(model)} ${matching(byDigest(model, where))} limit 1`
      return first(model, await db.read(found))
    },
    findMany: async <T>({ model, where, limit, sortBy, offset }: Parameters<CustomAdapter['findMany']>[0]) => {
      // This is the only name in better-auth's own spelling.
      const column = sortBy && identifier(columnName({ model, field: sortBy.field }))
      const order = column ? sql`${column} ${sortBy.direction === 'desc' ? keyword('desc') : empty}, ` : empty
      const rows = await db.read(sql`
        select ${names(model)} from ${identifier(model)} ${matching(byDigest(model, where ?? []))}
        order by ${order}id limit ${integer(limit)} offset ${integer(offset ?? 0)}`)
      return rows.map((row) => rowOf(model, row) as T)
    },
    delete: async ({ model, where }) => {
      await write(sql`delete from ${identifier(model)} ${matching(byDigest(model, where))}`)
    },
    deleteMany: async ({ model, where }) =>
      (await write(sql`delete from ${identifier(model)} ${matching(byDigest(model, where))} returning id`)).length,
    incrementOne: async ({ model, where, increment, set }) => {
      const steps = Object.entries(increment).map(([name, by]) => {
        const column = identifier(name)
        return sql`${column} = ${column} + ${integer(by)}`
      })
      return first(model, await changeBy(model, [...steps, ...assignments(set ?? {})], where))
    },
    consumeOne: async ({ model, where }) => first(model, await take(model, where)),
    count: async ({ model, where }) => {
      const [[count] = []] = await db.read(sql`select count(*) from ${identifier(model)} ${matching(where ?? [])}`)
      return Number(count)
    },
  }
}

const columnsOf = (model: string): readonly string[] => {
  if (!Object.hasOwn(columns, model)) throw new Error(`There is no table for the model "${model}"`)
  return columns[model as keyof typeof columns]
}

const names = (model: string): Sql =>
  join(
    columnsOf(model).map((name) => identifier(name)),
    ', ',
  )

function rowOf(model: string, row: Row): Record<string, unknown> {
  return Object.fromEntries(columnsOf(model).map((name, at) => [name, storedValue(name, row[at])]))
}

const flags: readonly string[] = ['email_verified', 'two_factor_enabled', 'verified', 'by_passkey', 'backed_up']

/** SQLite stores times as text and booleans as numbers; PostgreSQL returns large integers as text. */
function storedValue(column: string, value: unknown): unknown {
  if (column === 'counter') return Number(value)
  if (/_(at|until)$/.test(column) && typeof value === 'string') return new Date(value)
  return flags.includes(column) ? Boolean(value) : value
}

const assignments = (update: object): readonly Sql[] =>
  Object.entries(update).map(([name, value]) => sql`${identifier(name)} = ${bound(value)}`)

const symbols = {
  eq: keyword('='),
  ne: keyword('<>'),
  lt: keyword('<'),
  lte: keyword('<='),
  gt: keyword('>'),
  gte: keyword('>='),
} as const

function matching(where: readonly CleanedWhere[]): Sql {
  const [first, ...others] = where
  if (!first) return empty
  const rest = others.map((one) => sql` ${one.connector === 'OR' ? keyword('or') : keyword('and')} ${condition(one)}`)
  return sql`where ${condition(first)}${join(rest, '')}`
}

function condition({ field, operator = 'eq', value }: CleanedWhere): Sql {
  const column = identifier(field)
  if (value === null) return operator === 'ne' ? sql`${column} is not null` : sql`${column} is null`
  if (operator === 'in' && Array.isArray(value))
    return value.length === 0 ? keyword('1 = 0') : sql`${column} in (${join(value.map(bound), ', ')})`
  const symbol = Object.hasOwn(symbols, operator) ? symbols[operator as keyof typeof symbols] : null
  if (!symbol) throw new Error(`No condition is known for "${operator}"`)
  return sql`${column} ${symbol} ${bound(value)}`
}

function bound(value: unknown): Sql {
  if (value === null || value === undefined) return sql`${null}`
  if (value instanceof Date) return sql`${timestampText(value)}`
  if (typeof value === 'boolean') return value ? keyword('true') : keyword('false')
  const text = String(value)
  if (text.includes('\0')) throw failure.settingsBodyInvalid('A text holds the character U+0000', 'Remove it.')
  return sql`${text}`
}
