import { all, allow, allowOf, bodies, reads } from '../methods.ts'
import { define, type Failures } from './define.ts'

/** The form of a request: what can be said before a resource is looked at. */
export const requestForm = {
  pathUnknown: define(404, 'PGRST125', () => ({
    message: 'Invalid path specified in request URL',
    hint: 'Resources are at /rest/v1/<name>, without a trailing slash.',
  })).notServed(),
  rowPathUnknown: define(404, 'PGRST125', (resource: string, filter: string) => ({
    message: 'Invalid path specified in request URL',
    hint: `For one row, filter by its key: /rest/v1/${resource}?${filter}`,
  })).notServed('project', 'id=eq.01890a5d-ac96-774b-bcce-b302099a8057'),
  functionMissing: define(404, 'PGRST202', (name: string) => ({
    message: `Could not find the function public.${name} in the schema cache`,
    hint: 'There are no functions here, only resources at /rest/v1/<name>.',
  })).notServed('hello'),
  methodUnsupported: define(405, 'PGRST117', (method: string, allow: string) => ({
    message: `Unsupported HTTP method: ${method}`,
    hint: `Use one of ${allow.replaceAll(',', ', ')}.`,
    headers: { Allow: allow },
  })).notServed('TRACE', allow),
  resourceReadOnly: define(405, 'PGRST117', (method: string, resource: string, allow: string) => ({
    message: `Unsupported HTTP method: ${method}`,
    hint: `"${resource}" can only be read. Use one of ${allow.replaceAll(',', ', ')}.`,
    headers: { Allow: allow },
  })).notServed('POST', 'event', allowOf(reads)),
  schemaUnknown: define(406, 'PGRST106', (schema: string) => ({
    message: `Invalid schema: ${schema}`,
    hint: 'Only the following schemas are exposed: public',
  })).on(all, 'private'),
  unparsable: define(
    400,
    'PGRST100',
    (what: string, text: string, position: number, details: string, hint?: string) => ({
      message: `"failed to parse ${what} (${text})" (line 1, column ${position})`,
      details,
      hint: hint ?? null,
    }),
  ).on(
    all,
    'select parameter',
    'id,,bid_id',
    4,
    'unexpected "," expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"',
  ),
  tooMuch: define(400, 'PGRST100', (what: string, most: number, hint: string) => ({
    message: `More than ${most} ${what} in one request`,
    hint,
  })).on(all, 'conditions', 500, 'Use in.(…) for a list of values.'),
  queryNotText: define(400, 'PGRST100', () => ({
    message: 'The query string is not valid percent-encoded text',
    hint: 'Encode names and values as UTF-8, with encodeURIComponent or its like. U+0000 is no text.',
  })).on(all),
  rangeImpossible: define(416, 'PGRST103', (details: string, hint: string) => ({
    message: 'Requested range not satisfiable',
    details,
    hint,
  })).on(all, 'Limit should be greater than or equal to zero.', 'Send a limit of 0 or more.'),
  mediaTypeUnavailable: define(406, 'PGRST107', (accept: string, available: string) => ({
    message: `None of these media types are available: ${accept}`,
    hint: `Accept one of ${available}.`,
  })).on(
    all,
    'text/html',
    'application/json, application/vnd.pgrst.array+json, application/vnd.pgrst.array, application/vnd.pgrst.object+json, application/vnd.pgrst.object, text/csv, application/x-ndjson',
  ),
  preferencesInvalid: define(400, 'PGRST122', (names: string, nearest: string | null, known: string) => ({
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${names}`,
    hint: `${nearest === null ? '' : `Perhaps you meant ${nearest}. `}Known preferences: ${known}.`,
  })).on(
    all,
    'return=all',
    null,
    'resolution=merge-duplicates|ignore-duplicates, missing=default|null, return=representation|minimal|headers-only, count=exact|planned|estimated, tx=commit|rollback, handling=strict|lenient, timezone=NAME, max-affected=N',
  ),
  bodyInvalid: define(400, 'PGRST102', (message: string, hint: string) => ({ message, hint })).on(
    bodies,
    'Empty or invalid json',
    'Send a JSON object, or an array of objects.',
  ),
  contentTypeUnsupported: define(415, 'unsupported_media_type', (type: string, supported: string) => ({
    message: `Content-Type not acceptable: ${type}`,
    hint: `Send the body as ${supported}.`,
  })).on(bodies, 'text/xml', 'application/json, text/csv, application/x-www-form-urlencoded'),
  codingUnsupported: define(415, 'unsupported_media_type', (coding: string, supported: string) => ({
    message: `Content-Encoding not acceptable: ${coding}`,
    hint: `Compress the body with one of ${supported}, or send it as it is, without Content-Encoding.`,
    headers: { 'Accept-Encoding': supported },
  })).on(bodies, 'br', 'zstd, gzip'),
  bodyTooLarge: define(413, 'body_too_large', (bytesMax: number) => ({
    message: `The body is larger than ${bytesMax} bytes`,
    hint: 'Split it into several requests. The operator can raise MAX_BODY_BYTES.',
    headers: { Connection: 'close' },
  })).on(bodies, 10_485_760),
  bodyLate: define(408, 'request_timeout', () => ({
    message: 'The body did not arrive in time',
    hint: 'Send it faster, or in smaller parts. Nothing was written.',
    headers: { Connection: 'close' },
  })).on(bodies),
} satisfies Failures
