import type { ApiError } from '../errors/index.ts'
import { respondWithError } from '../response/respond-with-error.ts'
import { rowsRequest } from '../rest/rows-request.ts'
import type { Visit } from '../rest/visit.ts'
import type { Arguments, Asked } from './tool.ts'
import type { Tool } from './tools.ts'

/** What became of a call: the rows as JSON, or the error in the form of /rest/v1. */
export interface Outcome {
  readonly text: string
  readonly error: ApiError | null
}

export async function callTool({ resource, action }: Tool, given: Arguments, visit: Visit): Promise<Outcome> {
  try {
    const asked = action.ask(resource, given)
    const address = { name: resource.name, queryText: asked.query.toString() }
    const call = await visit.ask(requestOf(action.method, asked), address)
    return { text: await action.show(call, given), error: null }
  } catch (thrown) {
    const { error, body } = respondWithError(thrown)
    return { text: String(body), error }
  }
}

const requestOf = (method: string, { headers = {}, body }: Asked): Request =>
  body === undefined
    ? rowsRequest(method, headers, undefined)
    : rowsRequest(method, { ...headers, 'Content-Type': 'application/json' }, JSON.stringify(body))
