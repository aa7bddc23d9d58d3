import type { Value } from '../../src/store/sql.ts'
import type { Recorded } from '../support/recording.ts'

/** Statements that were sent, one after the other, as a script for psql that leaves nothing behind. */
export function catalogueOf(ofOneCompany: readonly Recorded[], ofAll: readonly Recorded[]): string {
  return [
    '-- Every statement of the service, as ?citus=true sends it, in an order in which it can be run on empty tables.',
    'begin;',
    '-- Each of these is about one company, and has to run on one shard.',
    "set local citus.multi_task_query_log_level = 'error';",
    ...scriptOf(ofOneCompany),
    '-- These are about all companies: they run now and then, and no request waits for them.',
    "set local citus.multi_task_query_log_level = 'off';",
    ...scriptOf(ofAll),
    'rollback;',
    '',
  ].join('\n')
}

/** A read that was shown before says nothing new; what was written has to be there for what comes after. */
function scriptOf(statements: readonly Recorded[]): string[] {
  const shown = new Set<string>()
  return statements.flatMap(({ text, values }) => {
    if (shown.has(text) && /^\s*select\b/.test(text)) return []
    shown.add(text)
    if (values.length === 0) return [`${text.trim()};`]
    return [`prepare one as ${text.trim()};`, `execute one (${values.map(literal).join(', ')});`, 'deallocate one;']
  })
}

function literal(value: Value): string {
  if (value === null || typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw new Error('No statement has bytes among its values')
  return `'${value.replaceAll("'", "''")}'`
}
