import { Exchange } from '../exchange.ts'
import { ownResources } from '../fields/own-resources.ts'
import type { Resource } from '../resources/define.ts'
import { findResource } from '../resources/index.ts'
import type { Answer } from '../response/answer.ts'
import { Call, type Rows, type Scope } from '../rest/call.ts'
import { rowsRequest } from '../rest/rows-request.ts'
import { serveRows } from '../rest.ts'

/** Whose rows are read or written, and on whose behalf. */
export interface TransferPlace extends Rows, Scope {
  readonly companyId: string
}

/** A resource with the columns that the company has added to it. */
export async function findOwnResource(
  { db, companyId, fieldsVersion }: TransferPlace,
  name: string,
): Promise<Resource> {
  const builtIn = findResource(name)
  const { all } = await ownResources(db, companyId, fieldsVersion)
  return all.find((resource) => resource.name === name) ?? builtIn
}

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly resource: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request for rows by the stages of /rest/v1, so that the same rules hold. */
export async function askRows(
  place: TransferPlace,
  { method, resource, query, headers, body }: Asked,
  exchange = new Exchange(),
): Promise<Answer> {
  const call = new Call(place, rowsRequest(method, headers, body), { name: resource, queryText: query }, exchange)
  call.enter(place)
  return serveRows(call)
}
