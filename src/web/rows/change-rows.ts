import { getRows } from '../api.ts'
import type { Column, Resource, Row } from '../api-types.ts'
import { choiceOf, mayBecome } from '../columns/allowed-values.ts'
import { refresh } from '../queries.ts'
import { apiPath, useHere, useSend } from '../session.tsx'
import { pathOf } from './delete-rows.ts'

const stateOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The rows that may have this value. */
export const allowedOf = (column: Column, rows: readonly Row[], value: unknown): readonly Row[] =>
  column.type === 'choice' ? rows.filter((row) => mayBecome(column, choiceOf(column, row), stateOf(value))) : rows

/** Whether all of them may have their values back. */
export const mayUndo = (column: Column, rows: readonly Row[], value: unknown): boolean =>
  column.type !== 'choice' || rows.every((row) => mayBecome(column, stateOf(value), choiceOf(column, row)))

/** Writes a value, and returns what gives each row the one back that it had just before. */
export function useChangeRows(resource: Resource) {
  const { company } = useHere()
  const send = useSend()
  return async (rows: readonly Row[], { name }: Column, value: unknown): Promise<() => Promise<void>> => {
    const put = (some: readonly Row[], next: unknown) =>
      send('PATCH', `/rest/${pathOf(resource, some)}`, { [name]: next })
    const reread = () => refresh('/rest/', '/overview')
    // Somebody else may have changed them since the table was read.
    const select = `select=${resource.primary_key},${name}`
    const before = await getRows<Row>(apiPath(company.id, `/rest/${pathOf(resource, rows)}&${select}`))
    await put(rows, value)
    await reread()
    return async () => {
      const byValue = Map.groupBy(before.rows, (row) => JSON.stringify(row[name]))
      for (const some of byValue.values()) await put(some, some[0]?.[name])
      await reread()
    }
  }
}
