import { failure } from '../errors/index.ts'
import { isRead, type Method } from '../methods.ts'
import { emptyLevel, type Level } from './level.ts'
import { parseAccept, type Representation } from './parse-accept.ts'
import { parsePreferences } from './parse-preferences.ts'
import { parseQuery, type Query } from './parse-query.ts'
import { intersectRange, type Range } from './parse-range.ts'
import type { Preferences } from './preferences.ts'

/** What was asked, as the client said it. Whether it makes sense for a resource is for the plan to find out. */
export interface ApiRequest {
  readonly method: Method
  readonly query: Query
  /** What is asked of the resource itself, and the part of its rows that is wanted. */
  readonly root: Level
  readonly range: Range
  readonly preferences: Preferences
  readonly representation: Representation
  /** Whether the client named a schema, as supabase-js always does. */
  readonly schemaNamed: boolean
  /** Versions that the client knows; null where the header is absent. A read has no `If-Match`. */
  readonly ifMatch: readonly string[] | null
  readonly ifNoneMatch: readonly string[] | null
  /** Of a write that may be sent again without being done again. */
  readonly idempotencyKey: string | null
}

/** Everything about a request but its body. */
export function parseRequest(method: Method, queryText: string, headers: Headers): ApiRequest {
  const schema = headers.get(isRead(method) ? 'accept-profile' : 'content-profile')
  if (schema !== null && schema !== 'public') throw failure.schemaUnknown(schema)
  const query = parseQuery(queryText)
  const root = query.shape.levels.get('') ?? emptyLevel
  return {
    method,
    query,
    root,
    range: method === 'GET' ? intersectRange(root.range, headers.get('range')) : root.range,
    preferences: parsePreferences(headers.get('prefer')),
    representation: parseAccept(headers.get('accept')),
    schemaNamed: schema !== null,
    ifMatch: isRead(method) ? null : parseTags(headers.get('if-match')),
    ifNoneMatch: parseTags(headers.get('if-none-match')),
    idempotencyKey: isRead(method) ? null : parseIdempotencyKey(headers.get('idempotency-key')),
  }
}

/** A client that lists more versions is answered as if it knew only these: with the rows, or with 412. */
const tagsMax = 100

/** `"a", W/"b"` → ['a', 'b']; an asterisk stands for any. */
function parseTags(header: string | null): string[] | null {
  return header?.split(',', tagsMax).map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1')) ?? null
}

/** `8e03978e` or `"8e03978e"`: the draft of the standard wants quotes, and most clients send none. */
function parseIdempotencyKey(header: string | null): string | null {
  if (header === null) return null
  const key = header.replace(/^"(.*)"$/, '$1')
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw failure.idempotencyKeyInvalid()
  return key
}
