import type { Resource, Row } from '../api-types.ts'
import { showUndo } from '../parts/toasts.tsx'
import { refresh } from '../queries.ts'
import { useSend } from '../session.tsx'
import { idOf, nameOf } from './resources.ts'

/** Deletes all of the rows or none, and offers to create them again with the ids that they had. */
export function useDeleteRows(resource: Resource): (rows: readonly Row[]) => Promise<void> {
  const send = useSend()
  const reread = () => refresh('/rest/', '/overview')
  return async (rows) => {
    await send('DELETE', `/rest/${pathOf(resource, rows)}`)
    await reread()
    showUndo(`${wordsFor(resource, rows)} deleted.`, async () => {
      await send(
        'POST',
        `/rest/${resource.name}`,
        rows.map((row) => writableOf(resource, row)),
      )
      await reread()
    })
  }
}

/** `project?id=in.(0189…,0189…)` */
export const pathOf = (resource: Resource, rows: readonly Row[]): string =>
  `${resource.name}?${resource.primary_key}=in.(${rows.map((row) => idOf(resource, row)).join(',')})`

export const wordsFor = (resource: Resource, rows: readonly Row[]): string => {
  const [row] = rows
  return rows.length === 1 && row ? `${nameOf(resource, row)} is` : `${rows.length} ${resource.many} are`
}

/** What a client may send of a row: not what the service notes itself. */
const writableOf = ({ columns }: Resource, row: Row): Row =>
  Object.fromEntries(columns.filter(({ writable }) => writable).map(({ name }) => [name, row[name]]))
