import { type ApiError, failure } from '../errors.ts'
import type { Method } from '../request/parse-request.ts'
import { respondWithError } from '../response/respond-with-error.ts'
import { all, bodies, changes, reads, writes } from './methods.ts'

type FailureName = keyof typeof failure

/** One failure: where it can occur, and how it looks. */
interface Occurrence {
  readonly methods: readonly Method[]
  /** The one resource in which it can occur; in every one where it is absent. */
  readonly only?: string
  readonly example: ApiError
}

const allow = ['OPTIONS', ...all].join(',')
const on = (methods: readonly Method[], example: ApiError, only?: string): Occurrence =>
  only === undefined ? { methods, example } : { methods, example, only }

/** Every failure that a request for a resource can meet. Those for no method belong to paths and methods that do not exist. */
export const occurrences: Readonly<Partial<Record<FailureName, Occurrence>>> = {
  keyMissing: on(all, failure.keyMissing()),
  keyInvalid: on(all, failure.keyInvalid()),
  keyIsSecret: on(all, failure.keyIsSecret()),
  bearerDiffers: on(all, failure.bearerDiffers()),
  rateLimited: on(all, failure.rateLimited(1)),
  tooManyKeys: on(all, failure.tooManyKeys(1)),
  notScoped: on(all, failure.notScoped()),
  insufficientScope: on(writes, failure.insufficientScope()),
  secretInBrowser: on(all, failure.secretInBrowser()),

  pathUnknown: on([], failure.pathUnknown()),
  resourceUnknown: on([], failure.resourceUnknown('projects', 'project')),
  functionMissing: on([], failure.functionMissing('sum_up')),
  methodUnsupported: on([], failure.methodUnsupported('TRACE', allow)),
  schemaUnknown: on(all, failure.schemaUnknown('private')),
  unparsable: on(all, failure.unparsable('filter', '5', 1, 'unexpected "5" expecting "not" or operator (eq, gt, ...)')),
  tooMuch: on(all, failure.tooMuch('conditions', 500, 'Use in.(…) for a list of values.')),
  tooComplex: on(all, failure.tooComplex(undefined)),
  writesCollided: on(writes, failure.writesCollided(undefined)),
  parameterRepeated: on(all, failure.parameterRepeated('select')),
  queryNotText: on(all, failure.queryNotText()),
  rangeImpossible: on(
    all,
    failure.rangeImpossible('Limit should be greater than or equal to zero.', 'Send a limit of 0 or more.'),
  ),
  mediaTypeUnavailable: on(all, failure.mediaTypeUnavailable('image/png', 'application/json, text/csv')),
  preferencesInvalid: on(all, failure.preferencesInvalid('count=none', null, 'count=exact|planned|estimated')),
  bodyInvalid: on(bodies, failure.bodyInvalid('Empty or invalid json', 'Send a JSON object, or an array of objects.')),
  contentTypeUnsupported: on(bodies, failure.contentTypeUnsupported('text/plain', 'application/json')),
  bodyTooLarge: on(bodies, failure.bodyTooLarge(10_485_760)),
  bodyLate: on(bodies, failure.bodyLate()),

  fieldUnknown: on(bodies, failure.fieldUnknown('nmae', 'project', 'id, bid_id, project_name')),
  relationUnknown: on(all, failure.relationUnknown('project', 'bids', null, 'bid')),
  notEmbedded: on(all, failure.notEmbedded('bid')),
  embedRepeated: on(all, failure.embedRepeated('bid')),
  relatedOrderImpossible: on(all, failure.relatedOrderImpossible('bid', 'project')),
  spreadAggregate: on(all, failure.spreadAggregate()),
  nameTooLong: on(all, failure.nameTooLong('a_very_long_name')),
  typeUnknown: on(all, failure.typeUnknown('varchr', 'text, uuid')),
  castImpossible: on(all, failure.castImpossible('uuid', 'date')),
  functionUnknown: on(all, failure.functionUnknown('sum(uuid)')),
  operatorUnfit: on(all, failure.operatorUnfit('uuid', '~~')),
  isNotBoolean: on(all, failure.isNotBoolean('true', 'text')),
  languageUnknown: on(all, failure.languageUnknown('klingon')),
  columnUnknown: on(all, failure.columnUnknown('project.nmae', 'Columns: id, bid_id, project_name.')),
  valueInvalid: on(all, failure.valueInvalid('uuid', '"7"', 'A UUID looks like 01890a5d-ac96-774b-bcce-b302099a8057.')),
  textImpossible: on(bodies, failure.textImpossible('project_name')),
  valueMissing: on(bodies, failure.valueMissing('project_name', 'project')),
  checkViolated: on(
    bodies,
    failure.checkViolated('project_name', 'project', '1 to 255 characters that are not all blank'),
  ),
  timeInvalid: on(all, failure.timeInvalid('yesterday')),
  likeEndsInEscape: on(all, failure.likeEndsInEscape()),
  patternInvalid: on(all, failure.patternInvalid('parentheses () not balanced')),
  searchInvalid: on(all, failure.searchInvalid('bridge &')),
  notGrouped: on(all, failure.notGrouped('project.created_at')),
  filterMissing: on(changes, failure.filterMissing('DELETE')),
  conflictTargetUnknown: on(['POST', 'PUT'], failure.conflictTargetUnknown('id')),
  conflictTwice: on(['POST'], failure.conflictTwice()),
  putRange: on(['PUT'], failure.putRange()),
  putFilter: on(['PUT'], failure.putFilter('id')),
  putMismatch: on(['PUT'], failure.putMismatch('id')),
  columnNotWritable: on(bodies, failure.columnNotWritable('created_at')),

  referenceMissing: on(bodies, failure.referenceMissing('project', 'bid_id', 'bid'), 'project'),
  stillReferenced: on(changes, failure.stillReferenced('bid', 'project', 'project_bid_id_fkey'), 'bid'),
  notSingle: on(all, failure.notSingle(0)),
  tooManyAffected: on(changes, failure.tooManyAffected(12)),
  versionDiffers: on([...changes, 'PUT'], failure.versionDiffers()),
  rowExists: on(['POST', 'PUT'], failure.rowExists()),
  offsetPastEnd: on(reads, failure.offsetPastEnd(100, 5)),
  duplicate: on(['POST', 'PATCH'], failure.duplicate('project', 'id')),
  idempotencyKeyInvalid: on(writes, failure.idempotencyKeyInvalid()),
  idempotencyKeyReused: on(writes, failure.idempotencyKeyReused()),
  idempotencyInProgress: on(writes, failure.idempotencyInProgress()),
  idempotentAnswerTooLarge: on(writes, failure.idempotentAnswerTooLarge(1_048_576)),
  idempotencyFull: on(writes, failure.idempotencyFull(60)),
  tooLarge: on(all, failure.tooLarge(undefined)),
  rowTooLarge: on(reads, failure.rowTooLarge()),
  tooSlow: on(all, failure.tooSlow(undefined)),
  overloaded: on(all, failure.overloaded()),
  databaseAway: on(all, failure.databaseAway(undefined)),
  databaseReadOnly: on(writes, failure.databaseReadOnly(undefined)),
  databaseFull: on(writes, failure.databaseFull(undefined)),
  databaseDamaged: on(all, failure.databaseDamaged(undefined)),
  outcomeUnknown: on(writes, failure.outcomeUnknown(undefined)),
  bug: on(all, failure.bug(undefined)),
}

/** A failure as a client sees it. */
export interface Shown {
  readonly name: string
  readonly only: string | null
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: readonly string[]
  readonly body: Readonly<Record<string, string | null>>
}

export function showFailure(name: string, { example, only }: Occurrence): Shown {
  const { status, headers, body } = respondWithError(example)
  const { code, message } = example
  return {
    name,
    only: only ?? null,
    status,
    code,
    message,
    headers: Object.keys(headers),
    body: JSON.parse(String(body)),
  }
}

/** The failures that a method can meet, or those of what does not exist. */
export function failuresOf(method: Method | null): Shown[] {
  return Object.entries(occurrences)
    .filter(([, { methods }]) => (method === null ? methods.length === 0 : methods.includes(method)))
    .map(([name, occurrence]) => showFailure(name, occurrence))
}
