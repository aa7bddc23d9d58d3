import { markReachable, markUnreachable } from './connection.ts'

/** A request that failed, in words for the person who made it. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: string | null,
    readonly hint: string | null,
    readonly requestId: string | null,
  ) {
    super(message)
  }
}

export const isFailure = (error: unknown, code: string): boolean => error instanceof ApiFailure && error.code === code

/** Asks this server, as the person who is signed in. */
export async function send<Answer>(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await exchange(method, path, body, headers)
  if (response.status === 204) return undefined as Answer
  return (await response.json()) as Answer
}

export const get = <Answer>(path: string): Promise<Answer> => send<Answer>('GET', path)

export interface RowPage<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** A page of rows, and how many there are in all. Past the end there are none. */
export async function getRows<Row>(path: string): Promise<RowPage<Row>> {
  const response = await exchange('GET', path, undefined, { Prefer: 'count=exact' })
  const rows = response.ok ? (JSON.parse(await response.text(), withDigits) as readonly Row[]) : []
  const [, total] = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '') ?? []
  return { rows, total: total === undefined ? rows.length : Number(total) }
}

/** A row as it is now, and the version that a change of it names. */
export interface Versioned<Row> {
  readonly row: Row
  readonly version: string
}

/** Null where there is no such row. */
export async function getRow<Row>(path: string): Promise<Versioned<Row> | null> {
  const response = await exchange('GET', path, undefined)
  const [row] = JSON.parse(await response.text(), withDigits) as readonly Row[]
  return row === undefined ? null : { row, version: response.headers.get('ETag') ?? '' }
}

/** A number that JavaScript would show with other digits stays the text that was sent: `10.50` */
function withDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? String(value)
  return typeof value === 'number' && String(value) !== source ? source : value
}

/** Said of a page past the end, which is not a failure. */
const rangeNotSatisfiable = 416

async function exchange(
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const request = {
    method,
    headers: { Accept: 'application/json', ...type, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    cache: 'no-store',
  } as const
  for (;;) {
    const response = await reach(path, request)
    if (response.ok || response.status === rangeNotSatisfiable) return response
    const failure = await failureOf(response)
    if (failure.status === 403 || failure.status === 404) onRefused(path)
    // What was refused for want of a session had no effect, so it can be sent again once there is one.
    if (failure.code !== 'not_signed_in' || !(await recover(path))) throw failure
  }
}

let onRefused: (path: string) => void = () => {}

/** Says what happens when a request is refused, or names something that is not there. */
export function whenRefused(look: (path: string) => void): void {
  onRefused = look
}

/** Whether somebody has signed in again, so that the request can be repeated. */
type Recovery = (path: string) => Promise<boolean>

let recover: Recovery = async () => false

/** Says what happens when a request finds the session gone. */
export function onSessionGone(recovery: Recovery): void {
  recover = recovery
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init)
    markReachable()
    return response
  } catch {
    markUnreachable()
    const hint = 'Check that the service is running and that you are online, then try again.'
    throw new ApiFailure(0, 'unreachable', 'The server could not be reached.', null, hint, null)
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const body = await response.json().catch(() => null)
  const text = (name: string): string | null => {
    const value: unknown = body?.[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return new ApiFailure(
    response.status,
    text('code') ?? String(response.status),
    text('message') ?? `The server answered ${response.status}.`,
    text('details'),
    text('hint') ?? waitHint(response),
    response.headers.get('X-Request-Id'),
  )
}

function waitHint(response: Response): string | null {
  if (response.status !== 429) return null
  const seconds = response.headers.get('X-Retry-After') ?? response.headers.get('Retry-After')
  return seconds === null ? 'Wait a moment, then try again.' : `Try again in ${seconds} seconds.`
}
