import { codings } from '../coding/choose-coding.ts'
import { allow } from '../methods.ts'
import { type JsonObject, ref } from './schemas.ts'

const text = { type: 'string' } as const

/** What each header of an answer says. */
const headers: Readonly<Record<string, JsonObject>> = {
  'X-Request-Id': { description: 'Names this request, in the log too.', schema: { type: 'string', format: 'uuid' } },
  'Server-Timing': { description: 'How many milliseconds each stage took.', schema: text, example: 'auth;dur=0.12' },
  'Project-Api-Scope': {
    description: 'Whether the request is scoped to a company, and if not, why. On every answer to a valid key.',
    schema: { type: 'string', enum: ['company', 'none; reason=secret_missing', 'none; reason=secret_mismatch'] },
  },
  'Cache-Control': { description: 'Answers are for the caller alone.', schema: text, example: 'private, no-cache' },
  'X-Content-Type-Options': { description: 'Always `nosniff`.', schema: text, example: 'nosniff' },
  'Content-Profile': { description: 'The schema, where the request named it.', schema: text, example: 'public' },
  'Content-Range': {
    description:
      'The first and the last row shown, and how many there are where that was asked; `*` for what is not known.',
    schema: text,
    example: '0-9/42',
  },
  'Content-Location': {
    description: 'What was asked, its parameters in order. Not where it would be longer than 4 KiB.',
    schema: text,
    example: '/rest/v1/project?limit=10',
  },
  'Content-Encoding': {
    description: 'How the body is compressed: where it is longer than 16 KiB, and the request accepts it.',
    schema: { type: 'string', enum: codings },
  },
  'Accept-Encoding': {
    description: 'How a body may be compressed.',
    schema: text,
    example: codings.join(', '),
  },
  Location: { description: 'Where the new row is, if it is one.', schema: { type: 'string', format: 'uri-reference' } },
  'Preference-Applied': { description: 'The preferences that were applied.', schema: text, example: 'count=exact' },
  ETag: {
    description: 'Changes whenever the rows do; another one for each coding. Not on lists that are streamed.',
    schema: text,
    example: '"1c8zq2.array"',
  },
  Link: {
    description: 'Where the next page is, if there is one. Not where it would be longer than 4 KiB.',
    schema: text,
    example: '</rest/v1/project?limit=10&offset=10>; rel="next"',
  },
  'Idempotent-Replayed': {
    description: '`true` where the answer is that of an earlier request with the same Idempotency-Key.',
    schema: text,
    example: 'true',
  },
  Vary: {
    description: 'What else the answer depends on.',
    schema: text,
    example: 'Accept, Accept-Encoding, Prefer, Range',
  },
  'Proxy-Status': {
    description: 'The code of the failure, for answers without a body.',
    schema: text,
    example: 'project-api; error=PGRST116',
  },
  'RateLimit-Policy': {
    description: 'How many requests (`q`) the credential may send in how many seconds (`w`), where there is a limit.',
    schema: text,
    example: '"default";q=100;w=1',
  },
  RateLimit: {
    description: 'How many more may come now (`r`), and after how many seconds there is room again (`t`).',
    schema: text,
    example: '"default";r=42;t=1',
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  'WWW-Authenticate': { description: 'How to say who you are.', schema: text, example: 'Bearer realm="project-api"' },
  Allow: {
    description: 'The methods that there are.',
    schema: text,
    example: allow,
  },
  Connection: { description: 'The connection is closed after this answer.', schema: text, example: 'close' },
}

export const makeHeaders = (): JsonObject => headers

/** Some of them, by their names. */
export const headersOf = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
