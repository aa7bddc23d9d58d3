import type { Exchange } from '../exchange.ts'
import type { Answer } from '../response/answer.ts'
import { askRows, type TransferPlace } from './place.ts'

interface Wanted {
  readonly resource: string
  /** In the dialect of the API: `project_name=like.A*&order=id` */
  readonly query: string
  readonly mediaType: 'text/csv' | 'application/json'
}

/** All rows that a query finds, as a stream: a limit on the rows of one answer does not count. */
export const exportRows = (
  place: TransferPlace,
  { resource, query, mediaType }: Wanted,
  exchange?: Exchange,
): Promise<Answer> =>
  askRows(
    { ...place, limits: { ...place.limits, rowsMax: null } },
    { method: 'GET', resource, query, headers: { Accept: mediaType } },
    exchange,
  )
