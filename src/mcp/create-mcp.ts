import { ApiError, failure } from '../errors/index.ts'
import type { Exchange } from '../exchange.ts'
import { scrub } from '../log/scrub.ts'
import { readBody } from '../request/read-body.ts'
import type { Answer } from '../response/answer.ts'
import { withCoding } from '../response/with-coding.ts'
import type { Visit } from '../rest/visit.ts'
import type { Rest } from '../rest.ts'
import { credentialHeaders } from './credential-headers.ts'

export type Mcp = (http: Request, exchange: Exchange) => Promise<Answer>

/** Of a request without a Host header, the runtime knows no whole URL. */
const here = 'http://localhost/mcp'

/** A message carries one row at most. */
const messageBytesMax = 256 * 1024

/** The rows as tools for agents, by the Model Context Protocol: each POST brings one message and gets its answer. */
export function createMcp({ enter }: Pick<Rest, 'enter'>): Mcp {
  return async (http, exchange) => {
    const headers = credentialHeaders(http.headers)
    const entered = await enter(new Request(here, { headers }), exchange)
    const message = await readMessage(http, exchange, entered)
    // The message may have taken long to arrive.
    const visit = await entered.again()
    // The SDK takes a third of a second to load, and memory.
    const { answerMessage } = await import('./protocol.ts')
    const { response, outcome } = await answerMessage({ message, http: withoutBody(http), visit })
    const text = response.body === null ? null : await response.text()
    // Rows are shown as they are. Whatever else is said may repeat what was sent.
    const isRows = outcome !== null && outcome.error === null
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === null || isRows ? text : scrub(text),
      ...(outcome?.error ? { error: outcome.error } : {}),
    }
    return withCoding(answer, exchange)
  }
}

/** The SDK requires `text/event-stream` in Accept, although we answer JSON only. */
function withoutBody({ headers }: Request): Request {
  const accept = headers.get('accept')
  const own = new Headers(headers)
  if (accept === null || /\*\/\*|application\/(?:json|\*)/i.test(accept))
    own.set('accept', 'application/json, text/event-stream')
  return new Request(here, { method: 'POST', headers: own })
}

async function readMessage(http: Request, { startedAt, companyId }: Exchange, { rows }: Visit): Promise<unknown> {
  const { limits } = rows
  const hold = limits.bytes?.hold(companyId ?? '') ?? null
  try {
    const bodyBytesMax = Math.min(limits.bodyBytesMax, messageBytesMax)
    const message = await readBody(http, { ...limits, bodyBytesMax }, { arrivedAt: startedAt, hold }, parseMessage)
    // One HTTP request counts as one, so it cannot bring several.
    if (Array.isArray(message)) throw failure.bodyInvalid('A batch of messages', 'Send one message in each request.')
    return message
  } finally {
    hold?.release()
  }
}

/** More than the capabilities of any client have, and more than the columns of any row. */
const messageDepthMax = 32
const messageValuesMax = 1000

/** The SDK takes seconds to check a deep message, and tells of each wrong value. */
function parseMessage(bytes: Uint8Array): unknown {
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    limitJson(json)
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw failure.bodyInvalid('Empty or invalid json', 'Send a JSON-RPC message of the Model Context Protocol.')
  }
}

/** Counts levels and values outside of strings, in one pass. What is not JSON is left to the parser. */
function limitJson(json: string): void {
  let depth = 0
  let values = 0
  let isString = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '"') isString = !isString
    else if (isString) at += sign === '\\' ? 1 : 0
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    else if (sign === ',') values += 1
    if (depth > messageDepthMax) throw failure.tooMuch('levels of lists and objects', messageDepthMax, oneRowHint)
    if (values > messageValuesMax) throw failure.tooMuch('values in a message', messageValuesMax, oneRowHint)
  }
}

const oneRowHint = 'Send one row in each call.'
