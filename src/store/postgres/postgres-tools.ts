import { quoteName } from '../sql.ts'
import { schemaOf, withoutOwnParameters } from './postgres-connection.ts'

/** PostgreSQL has its own tools for backups; these are the commands for one database. */
export function howToDump(url: string, file: string): string {
  return [
    'No backup was made: PostgreSQL has its own tool for that, which works while the service runs. Use:',
    '',
    `  (umask 077; pg_dump --format=custom${schemaOption(url)} --file=${quoted(file)} --dbname=${quoted(toolUrl(url))})`,
    `  pg_restore --list ${quoted(file)}`,
    '',
    passwordLine,
  ].join('\n')
}

export function howToRestore(url: string, file: string): string {
  const { pathname } = new URL(url)
  const name = `${decodeURIComponent(pathname.slice(1)) || 'postgres'}_restored`
  const own = toolUrl(url)
  const restored = new URL(own)
  restored.pathname = `/${encodeURIComponent(name)}`
  return [
    'Nothing was restored: PostgreSQL has its own tool for that. Restore into a new database, and look at it before it is used:',
    '',
    `  createdb --maintenance-db=${quoted(own)} ${quoted(name)}`,
    `  pg_restore --single-transaction --exit-on-error --no-owner --dbname=${quoted(restored.href)} ${quoted(file)}`,
    '',
    `Then stop the service, and start it with ${quoted(name)} as the database in DATABASE_URL. ${passwordLine}`,
  ].join('\n')
}

const passwordLine = 'The tools ask for the password, or read it from PGPASSWORD or ~/.pgpass.'

/** The URL as PostgreSQL's tools take it, without the password. */
function toolUrl(url: string): string {
  const address = withoutOwnParameters(url)
  address.password = ''
  address.searchParams.delete('password')
  return address.href
}

/** The role may not be allowed to read other schemas. */
function schemaOption(url: string): string {
  const schema = schemaOf(url)
  return schema === null ? '' : ` --schema=${quoted(quoteName(schema))}`
}

/** Quoted for a shell, if needed. */
const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
