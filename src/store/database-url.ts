import type { Dialect } from './dialect.ts'

/** The engine that an address names: a server by its scheme, or the path of a file with or without `sqlite:` before it. */
export const engineNameOf = (url: string): Dialect['name'] => (/^postgres(ql)?:/i.test(url) ? 'postgres' : 'sqlite')

/** `sqlite:data/x.db` → `data/x.db` */
export const filePathOf = (url: string): string => url.replace(/^sqlite:(\/\/)?/i, '')

/** Where a key is kept that must not be in the database: beside its file, or in the working directory for a server. */
export const keyFileOf = (url: string): string =>
  engineNameOf(url) === 'postgres' ? 'data/webhook.key' : `${filePathOf(url)}.key`

/** What is wrong with an address, behind the name of its setting; null: nothing. */
export function addressProblem(url: string): string | null {
  // The engine's word for a database that is gone with the process; as a path, it would be a file of that name.
  if (/^(sqlite:(\/\/)?)?:memory:$/i.test(url)) return `must name a file that stays, but is "${url}".`
  // A single letter is a drive of Windows.
  const [, scheme] = /^([a-z][a-z0-9+]+):/i.exec(url) ?? []
  if (scheme !== undefined && !/^(sqlite|postgres|postgresql)$/i.test(scheme))
    return `must be the path of a file or begin with "postgres://", but begins with "${scheme}:".`
  if (engineNameOf(url) === 'postgres' && !URL.canParse(url))
    return 'is not a valid address. Write it as postgres://user:password@host:5432/name.'
  return engineNameOf(url) === 'postgres' ? parameterProblem(new URL(url)) : null
}

const tlsModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

function parameterProblem({ searchParams }: URL): string | null {
  const tlsMode = searchParams.get('sslmode')
  if (tlsMode !== null && !tlsModes.includes(tlsMode))
    return `has an unknown sslmode, "${tlsMode}". Use one of ${tlsModes.join(', ')}.`
  if (searchParams.has('schema') && searchParams.get('pgbouncer') === 'true')
    return 'has a schema, which PgBouncer does not pass on. Leave it out, and set it for the role: alter role … set search_path = ….'
  return null
}

/** Why several processes cannot serve one database; null: they can. */
export const workersProblem = (url: string): string | null =>
  engineNameOf(url) === 'postgres'
    ? null
    : 'with SQLite, whose file has one writer at a time: more processes would only wait for each other. Use PostgreSQL, or leave it out.'
