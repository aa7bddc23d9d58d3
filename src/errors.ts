/** What a client is told when a request fails. `message`, `details` and `hint` are public; `cause` is for the log. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    override readonly message: string,
    readonly more: {
      readonly details?: string | null
      readonly hint?: string | null
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
  }
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="project-api"' }
const retrySoon = { 'Retry-After': '1' }

/** Every failure that a client can see, one function each. `docs/errors.md` explains the same codes; a test holds the two equal. */
export const failure = {
  // Who is asking

  keyMissing: () =>
    fail(401, 'invalid_api_key', 'No API key found in the request', {
      hint: 'Send the API key in the header "apikey", and again as "Authorization: Bearer <API key>".',
      headers: challenge,
    }),
  keyInvalid: () =>
    fail(401, 'invalid_api_key', 'The API key is not valid', {
      hint: 'Check the header "apikey": the key may be mistyped, expired, revoked, or sent twice.',
      headers: challenge,
    }),
  keyIsSecret: () =>
    fail(401, 'invalid_api_key', 'An API secret was sent where the API key belongs', {
      hint: 'Send the value that begins with "pak_" as "apikey" and the one that begins with "pas_" as "X-API-Secret".',
      headers: challenge,
    }),
  bearerDiffers: () =>
    fail(401, 'invalid_api_key', 'The Authorization header does not carry the API key', {
      hint: 'Send "Authorization: Bearer <API key>" with the same key as in "apikey", or leave Authorization out.',
      headers: challenge,
    }),
  rateLimited: (seconds: number) =>
    fail(429, 'rate_limited', 'Too many requests', {
      hint: `Send fewer, or wait ${seconds} s. RateLimit tells how many are left.`,
      headers: { 'Retry-After': String(seconds) },
    }),
  tooManyKeys: (seconds: number) =>
    fail(429, 'rate_limited', 'Too many requests without a valid API key came from this address', {
      hint: `Check the header "apikey", and wait ${seconds} s. Valid keys go on working.`,
      headers: { 'Retry-After': String(seconds) },
    }),
  notScoped: () =>
    fail(403, '42501', 'The request is not scoped to a company', {
      hint: 'Send the API secret that belongs to this API key in the header "X-API-Secret".',
    }),
  insufficientScope: () =>
    fail(403, 'insufficient_scope', 'This credential may only read', {
      hint: 'Use a credential with read-write access.',
      headers: { 'WWW-Authenticate': `${challenge['WWW-Authenticate']}, error="insufficient_scope"` },
    }),
  secretInBrowser: () =>
    fail(403, 'secret_in_browser', 'The API secret was sent from a browser', {
      hint: 'Whoever opens the page can read the secret. Call this API from your server, and replace this credential.',
    }),

  // The settings page: who is signed in, and what they may do

  notSignedIn: () =>
    fail(401, 'not_signed_in', 'Nobody is signed in', { hint: 'Sign in at /sign-in, and send the cookie it sets.' }),
  originInvalid: () =>
    fail(403, 'invalid_origin', 'The request does not come from the settings page', {
      hint: 'Changes are taken from the page itself only. Unless it is reached by an IP address or as localhost, set BASE_URL to where it is.',
    }),
  forbidden: (hint: string) => fail(403, 'forbidden', 'You may not do this', { hint }),
  notFound: (what: string) =>
    fail(404, 'not_found', `There is no such ${what} in your company`, { hint: 'It may have been removed. Reload.' }),
  settingsBodyInvalid: (message: string, hint: string) => fail(400, 'invalid_settings_body', message, { hint }),
  signUpClosed: () =>
    fail(403, 'signup_closed', 'Signing up needs an invitation', {
      hint: 'Ask an owner of your company to invite you. The operator can set SIGNUP=open.',
    }),
  emailTaken: () =>
    fail(409, 'email_taken', 'There is an account with this e-mail address', {
      hint: 'Sign in with it, or reset its password.',
    }),
  signInWrong: () =>
    fail(401, 'invalid_email_or_password', 'The e-mail address or the password is wrong', {
      hint: 'Try again, or reset the password.',
    }),
  passwordWrong: () =>
    fail(403, 'invalid_password', 'The current password is wrong', { hint: 'Try again, or reset the password.' }),
  passwordUnfit: (min: number, max: number) =>
    fail(400, 'password_unfit', `A password must have ${min} to ${max} characters`, {
      hint: 'A few words that do not belong together are long and easy to remember.',
    }),
  resetLinkInvalid: () =>
    fail(400, 'invalid_token', 'The link is used up or too old', {
      hint: 'Ask for a new one: it is good for an hour.',
    }),
  tooManyAttempts: (seconds: number) =>
    fail(429, 'rate_limited', 'Too many attempts', {
      hint: `Wait ${seconds} seconds and try again.`,
      headers: { 'Retry-After': String(seconds) },
    }),
  invitationUnknown: () =>
    fail(404, 'invitation_unknown', 'The invitation is unknown, used up or too old', {
      hint: 'Ask the person who invited you for a new one.',
    }),
  invitationForOther: () =>
    fail(403, 'invitation_for_other', 'The invitation is for another e-mail address', {
      hint: 'Sign in with the address that was invited.',
    }),
  alreadyMember: () =>
    fail(409, 'already_member', 'This person is a member already', { hint: 'Change the role of the member instead.' }),
  mailNotSent: (cause: unknown) =>
    fail(502, 'mail_not_sent', 'The e-mail with the invitation could not be sent, so nobody was invited', {
      hint: 'Check the address. If it is right, ask the operator to look at SMTP_URL and at the mail server.',
      cause,
    }),
  lastOwner: () => fail(409, 'last_owner', 'A company needs an owner', { hint: 'Make another member an owner first.' }),

  // The settings page: credentials

  tooManyCredentials: (most: number) =>
    fail(409, 'too_many_credentials', `The company has ${most} credentials that are not revoked, which is the most`, {
      hint: 'Revoke credentials that nothing uses any more. The operator can raise MAX_CREDENTIALS.',
    }),
  credentialUnknown: () =>
    fail(404, 'credential_unknown', 'There is no such credential', { hint: 'Look for it in the list of credentials.' }),
  secretUnknown: () =>
    fail(404, 'secret_unknown', 'The credential has no such live secret', {
      hint: 'It may have ended already. Look at the credential again.',
    }),
  credentialEnded: (state: string) =>
    fail(409, 'credential_ended', `The credential is ${state}`, { hint: 'Create a new credential.' }),
  twoSecretsLive: () =>
    fail(409, 'two_secrets_live', 'The credential has two live secrets already', {
      hint: 'End the old one first, once nothing uses it any more; or rotate with no grace, which ends both.',
    }),
  lastSecret: () =>
    fail(409, 'last_secret', 'This is the only live secret of the credential', {
      hint: 'Rotate it for a new one, or revoke the credential.',
    }),

  // What was asked: the request's form

  pathUnknown: () =>
    fail(404, 'PGRST125', 'Invalid path specified in request URL', {
      hint: 'Resources are at /rest/v1/<name>, without a trailing slash.',
    }),
  functionMissing: (name: string) =>
    fail(404, 'PGRST202', `Could not find the function public.${name} in the schema cache`, {
      hint: 'There are no functions here, only resources at /rest/v1/<name>.',
    }),
  methodUnsupported: (method: string, allow: string) =>
    fail(405, 'PGRST117', `Unsupported HTTP method: ${method}`, {
      hint: `Use one of ${allow.replaceAll(',', ', ')}.`,
      headers: { Allow: allow },
    }),
  schemaUnknown: (schema: string) =>
    fail(406, 'PGRST106', `Invalid schema: ${schema}`, { hint: 'Only the following schemas are exposed: public' }),
  unparsable: (what: string, text: string, position: number, details: string, hint?: string) =>
    fail(400, 'PGRST100', `"failed to parse ${what} (${text})" (line 1, column ${position})`, {
      details,
      hint: hint ?? null,
    }),
  tooMuch: (what: string, most: number, hint: string) =>
    fail(400, 'PGRST100', `More than ${most} ${what} in one request`, { hint }),
  tooComplex: (cause: unknown) =>
    fail(400, '54001', 'The request is too complex for the database', { hint: 'Ask for less at once.', cause }),
  tooLarge: (cause: unknown) =>
    fail(400, '54000', 'More than 8 MiB would be shown of one row or by one write', {
      hint: 'Give the embed a limit, such as project.limit=100, or list its rows by themselves. After a write, ask for return=minimal.',
      cause,
    }),
  rowTooLarge: () =>
    fail(400, '54000', 'More than 2 MiB of one row would have to be converted', {
      hint: 'Give the embed a limit, such as project.limit=100, or ask for JSON without a time zone and with its nulls.',
    }),
  writesCollided: (cause: unknown) =>
    fail(503, '40P01', 'Two writes waited for each other, and this one was undone', {
      hint: 'Send it again. Nothing was written.',
      headers: retrySoon,
      cause,
    }),
  parameterRepeated: (name: string) =>
    fail(400, 'PGRST100', `The parameter "${name}" was given more than once`, { hint: `Send "${name}" once.` }),
  queryNotText: () =>
    fail(400, 'PGRST100', 'The query string is not valid percent-encoded text', {
      hint: 'Encode names and values as UTF-8, with encodeURIComponent or its like. U+0000 is no text.',
    }),
  rangeImpossible: (details: string, hint: string) =>
    fail(416, 'PGRST103', 'Requested range not satisfiable', { details, hint }),
  mediaTypeUnavailable: (accept: string, available: string) =>
    fail(406, 'PGRST107', `None of these media types are available: ${accept}`, {
      hint: `Accept one of ${available}.`,
    }),
  preferencesInvalid: (names: string, nearest: string | null, known: string) =>
    fail(400, 'PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${names}`,
      hint: `${nearest === null ? '' : `Perhaps you meant ${nearest}. `}Known preferences: ${known}.`,
    }),
  bodyInvalid: (message: string, hint: string) => fail(400, 'PGRST102', message, { hint }),
  contentTypeUnsupported: (type: string, supported: string) =>
    fail(415, 'unsupported_media_type', `Content-Type not acceptable: ${type}`, {
      hint: `Send the body as ${supported}.`,
    }),
  bodyTooLarge: (bytesMax: number) =>
    fail(413, 'body_too_large', `The body is larger than ${bytesMax} bytes`, {
      hint: 'Split it into several requests. The operator can raise MAX_BODY_BYTES.',
      headers: { Connection: 'close' },
    }),
  bodyLate: () =>
    fail(408, 'request_timeout', 'The body did not arrive in time', {
      hint: 'Send it faster, or in smaller parts. Nothing was written.',
      headers: { Connection: 'close' },
    }),

  // What was asked: names and values

  resourceUnknown: (name: string, nearest: string | null) =>
    fail(404, 'PGRST205', `Could not find the table 'public.${name}' in the schema cache`, {
      hint: nearest && `Perhaps you meant the table 'public.${nearest}'`,
    }),
  fieldUnknown: (field: string, resource: string, allowed: string) =>
    fail(400, 'PGRST204', `Could not find the '${field}' column of '${resource}' in the schema cache`, {
      hint: `Fields that can be sent: ${allowed}.`,
    }),
  relationUnknown: (from: string, to: string, hinted: string | null, nearest: string | null) =>
    fail(400, 'PGRST200', `Could not find a relationship between '${from}' and '${to}' in the schema cache`, {
      details: `Searched for a foreign key relationship between '${from}' and '${to}'${hinted === null ? '' : ` using the hint '${hinted}'`} in the schema 'public', but no matches were found.`,
      hint: nearest && `Perhaps you meant '${nearest}' instead of '${to}'.`,
    }),
  notEmbedded: (name: string) =>
    fail(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
      hint: `Verify that '${name}' is included in the 'select' query parameter.`,
    }),
  embedRepeated: (key: string) =>
    fail(400, '42712', `table name "${key}" specified more than once`, {
      hint: 'Give one of the two another name: name:resource(...).',
    }),
  relatedOrderImpossible: (from: string, to: string) =>
    fail(400, 'PGRST118', `A related order on '${to}' is not possible`, {
      details: `'${from}' and '${to}' do not form a many-to-one or one-to-one relationship`,
      hint: `Order the rows within '${to}' with ${to}.order=...`,
    }),
  spreadAggregate: () =>
    fail(400, 'PGRST127', 'Feature not implemented', {
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
      hint: 'Leave out the "..." before the embed.',
    }),
  nameTooLong: (start: string) =>
    fail(400, '42622', `The name "${start}…" is too long`, { hint: 'Use at most 63 bytes for an alias.' }),
  typeUnknown: (type: string, known: string) =>
    fail(400, '42704', `type "${type}" does not exist`, { hint: `Types to cast to: ${known}.` }),
  castImpossible: (from: string, to: string) =>
    fail(400, '42846', `cannot cast type ${from} to ${to}`, { hint: 'Everything can be cast to text.' }),
  functionUnknown: (call: string) =>
    fail(400, '42883', `function ${call} does not exist`, {
      hint: 'count() takes every column; max() and min() take text and times.',
    }),
  operatorUnfit: (type: string, symbol: string) =>
    fail(400, '42883', `operator does not exist: ${type} ${symbol} unknown`, {
      hint: `No column of type ${type} takes this operator.`,
    }),
  orderImpossible: (type: string) =>
    fail(400, '42883', `could not identify an ordering operator for type ${type}`, {
      hint: 'Order by another column.',
    }),
  isNotBoolean: (word: string, type: string) =>
    fail(400, '42804', `argument of IS ${word.toUpperCase()} must be type boolean, not type ${type}`, {
      hint: 'Use is.null or is.not_null.',
    }),
  languageUnknown: (language: string) =>
    fail(400, '42704', `text search configuration "${language}" does not exist`, {
      hint: 'Use "simple", or leave the language out.',
    }),
  columnUnknown: (column: string, hint: string) => fail(400, '42703', `column ${column} does not exist`, { hint }),
  valueInvalid: (type: string, value: string, hint: string) =>
    fail(400, '22P02', `invalid input syntax for type ${type}: ${value}`, { hint }),
  valueOutOfRange: (type: string, value: string, hint: string) =>
    fail(400, '22003', `value ${value} is out of range for type ${type}`, { hint }),
  listInvalid: (value: string, hint: string) => fail(400, '22P02', `malformed array literal: ${value}`, { hint }),
  textImpossible: (column: string) =>
    fail(400, '22P05', 'unsupported Unicode escape sequence', {
      details: `${column} holds a character that text cannot hold: U+0000 or half of a surrogate pair.`,
      hint: 'Remove the character.',
    }),
  valueMissing: (column: string, resource: string) =>
    fail(400, '23502', `null value in column "${column}" of relation "${resource}" violates not-null constraint`, {
      hint: `Send a value for "${column}".`,
    }),
  checkViolated: (column: string, resource: string, rule: string) =>
    fail(400, '23514', `new row for relation "${resource}" violates check constraint "${resource}_${column}_check"`, {
      hint: `"${column}" must have ${rule}.`,
    }),
  timeInvalid: (text: string, type = 'timestamp with time zone', example = '2026-01-31T12:00:00Z') =>
    fail(400, '22007', `invalid input syntax for type ${type}: ${JSON.stringify(text)}`, {
      hint: `Write it as ${example}.`,
    }),
  likeEndsInEscape: () =>
    fail(400, '22025', 'LIKE pattern must not end with escape character', { hint: 'Double the "\\" at the end.' }),
  patternInvalid: (details: string) =>
    fail(400, '2201B', `invalid regular expression: ${details}`, {
      hint: 'Letters, classes such as [a-z] and \\d, groups, alternatives, anchors and * + ? {n,m} are understood.',
    }),
  searchInvalid: (text: string) =>
    fail(400, '42601', `syntax error in tsquery: ${JSON.stringify(text)}`, {
      hint: 'Join words with &, | or <->, or use wfts, which takes any text.',
    }),
  notGrouped: (column: string) =>
    fail(400, '42803', `column "${column}" must appear in the GROUP BY clause or be used in an aggregate function`, {
      hint: 'Order by a column that is selected beside the aggregate.',
    }),
  filterMissing: (command: string) =>
    fail(400, '21000', `${command} requires a WHERE clause`, {
      hint: 'Name the rows with a filter, such as ?id=eq.<id>.',
    }),
  conflictTargetUnknown: (key: string) =>
    fail(400, '42P10', 'there is no unique or exclusion constraint matching the ON CONFLICT specification', {
      hint: `Use on_conflict=${key}, or leave it out.`,
    }),
  conflictTwice: () =>
    fail(400, '21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time', {
      hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
    }),
  putRange: () =>
    fail(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT', { hint: 'Leave them out.' }),
  putFilter: (key: string) =>
    fail(405, 'PGRST105', "Filters must include all and only primary key columns with 'eq' operators", {
      hint: `Write PUT …?${key}=eq.<${key}>.`,
      headers: { Allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
    }),
  putMismatch: (key: string) =>
    fail(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)', {
      hint: `Send one object, with the same "${key}" as in the URL.`,
    }),
  columnNotWritable: (column: string) =>
    fail(400, '428C9', `cannot insert a non-DEFAULT value into column "${column}"`, {
      details: `Column "${column}" is set by the server.`,
      hint: `Leave "${column}" out.`,
    }),

  // What the store answered

  referenceMissing: (resource: string, column: string, target: string) =>
    fail(
      409,
      '23503',
      `insert or update on table "${resource}" violates foreign key constraint "${resource}_${column}_fkey"`,
      {
        details: `Key (${column}) is not present in table "${target}".`,
        hint: `Send the id of an existing ${target}; GET /rest/v1/${target} lists them.`,
      },
    ),
  stillReferenced: (resource: string, by: string, constraint: string) =>
    fail(
      409,
      '23503',
      `update or delete on table "${resource}" violates foreign key constraint "${constraint}" on table "${by}"`,
      {
        details: `Key is still referenced from table "${by}".`,
        hint: `Delete its rows of "${by}" first, or give them another ${resource}.`,
      },
    ),
  notSingle: (count: number) =>
    fail(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${count} rows`,
      hint: 'Filter by the primary key, or accept application/json.',
    }),
  tooManyAffected: (count: number) =>
    fail(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${count} rows`,
      hint: 'Narrow the filter, or raise max-affected. Nothing was changed.',
    }),
  versionDiffers: () =>
    fail(412, 'precondition_failed', 'The rows are not as in If-Match', {
      hint: 'Somebody changed them. Read them again, with the same select, and send the new ETag. Nothing was changed.',
    }),
  rowExists: () =>
    fail(412, 'precondition_failed', 'There is such a row already', {
      hint: 'If-None-Match: * only makes new rows. Leave it out to change this one. Nothing was changed.',
    }),
  offsetPastEnd: (offset: number, total: number) =>
    fail(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      hint: 'Ask for a smaller offset.',
      headers: { 'Content-Range': `*/${total}` },
    }),
  duplicate: (resource: string, column: string) =>
    fail(409, '23505', `duplicate key value violates unique constraint "${resource}_pkey"`, {
      details: `Key (${column}) already exists.`,
      hint: `Send another ${column}, or leave it out and one is made.`,
    }),
  idempotencyKeyInvalid: () =>
    fail(400, 'invalid_idempotency_key', 'The Idempotency-Key cannot be used', {
      hint: 'Send 1 to 255 visible characters, such as a UUID.',
    }),
  idempotencyKeyReused: () =>
    fail(422, 'idempotency_key_reused', 'This Idempotency-Key was used for another request', {
      hint: 'Send the same request as before, or a new key.',
    }),
  idempotentAnswerTooLarge: (bytesMax: number) =>
    fail(400, 'idempotent_answer_too_large', `The answer is larger than the ${bytesMax} bytes that can be kept`, {
      hint: 'Send "Prefer: return=minimal", or write fewer rows in one request with an Idempotency-Key. Nothing was written.',
    }),
  idempotencyFull: (seconds: number) =>
    fail(429, 'idempotency_full', 'The company has no room left for answers that are kept for Idempotency-Key', {
      hint: 'Send "Prefer: return=minimal", which takes little room, or leave the key out, or wait: answers are kept for 24 hours. Nothing was written.',
      headers: { 'Retry-After': String(seconds) },
    }),
  idempotencyInProgress: () =>
    fail(409, 'idempotency_in_progress', 'A request with this Idempotency-Key is still running', {
      hint: 'Wait a second and send the same request again.',
      headers: retrySoon,
    }),
  tooSlow: (cause: unknown) =>
    fail(504, '57014', 'canceling statement due to statement timeout', {
      hint: 'Ask for less: give a read a limit, or change fewer rows by a narrower filter.',
      cause,
    }),
  overloaded: (seconds = 1) =>
    fail(503, 'overloaded', 'More requests came in than can be served', {
      hint: `Wait ${seconds} s and send it again, and fewer at once. Nothing was done.`,
      headers: { 'Retry-After': String(seconds) },
    }),
  databaseAway: (cause: unknown) =>
    fail(503, 'PGRST001', 'The database cannot be reached at the moment', {
      hint: 'Try again in a second.',
      headers: retrySoon,
      cause,
    }),
  databaseReadOnly: (cause: unknown) =>
    fail(503, '25006', 'The database takes no changes at the moment', {
      hint: 'Reading works. Try again in a few seconds. Nothing was written.',
      headers: { 'Retry-After': '5' },
      cause,
    }),
  databaseFull: (cause: unknown) =>
    fail(503, '53100', 'The database has no room left', {
      hint: 'Reading works. The operator has to make room on its disk. Nothing was written.',
      headers: { 'Retry-After': '30' },
      cause,
    }),
  databaseDamaged: (cause: unknown) =>
    fail(503, 'XX001', 'The database is damaged', {
      hint: 'The operator has to restore the latest backup.',
      headers: { 'Retry-After': '60' },
      cause,
    }),
  outcomeUnknown: (cause: unknown) =>
    fail(
      503,
      'outcome_unknown',
      'The connection to the database was lost, and the change may or may not have been made',
      {
        hint: 'Read the rows before you send it again. With an Idempotency-Key it can be sent again without looking.',
        headers: retrySoon,
        cause,
      },
    ),
  bug: (cause: unknown) =>
    fail(500, 'XX000', 'Something went wrong on our side', {
      hint: 'Report the X-Request-Id of this answer to the operator.',
      cause,
    }),
}

function fail(...[status, code, message, more]: ConstructorParameters<typeof ApiError>): ApiError {
  return new ApiError(status, code, message, more)
}
