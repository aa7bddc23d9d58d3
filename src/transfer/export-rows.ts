import type { Exchange } from '../exchange.ts'
import type { Answer } from '../response/answer.ts'
import { askRows, type TransferPlace } from './place.ts'

interface Wanted {
  readonly resource: string
  /** In the dialect of the API: `project_name=like.A*&order=id` */
  readonly query: string
  readonly form: 'csv' | 'json'
}

/** So that what is exported can be imported again, and opened in a spreadsheet. */
const mediaTypes = { csv: 'text/csv;rfc=4180', json: 'application/json' } as const

/** All rows that a query finds, as a stream: a limit on the rows of one answer does not count. */
export const exportRows = (
  place: TransferPlace,
  { resource, query, form }: Wanted,
  exchange?: Exchange,
): Promise<Answer> =>
  askRows(
    { ...place, limits: { ...place.limits, rowsMax: null } },
    { method: 'GET', resource, query, headers: { Accept: mediaTypes[form] } },
    exchange,
  )
