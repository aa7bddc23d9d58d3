import { all, reads } from '../methods.ts'
import { define, type Failures } from './define.ts'

/** Errors never show what is stored. */
const castFailed = {
  details: 'A row has a value that this type cannot have.',
  hint: 'Leave such rows out by a filter, or select the column without the cast.',
}

/** What a request names, and the values that it compares or sends. */
export const queries = {
  resourceUnknown: define(404, 'PGRST205', (name: string, nearest: string | null) => ({
    message: `Could not find the table 'public.${name}' in the schema cache`,
    hint: nearest && `Perhaps you meant the table 'public.${nearest}'`,
  })).notServed('projects', 'project'),
  relationUnknown: define(
    400,
    'PGRST200',
    (from: string, to: string, hinted: string | null, nearest: string | null) => ({
      message: `Could not find a relationship between '${from}' and '${to}' in the schema cache`,
      details: `Searched for a foreign key relationship between '${from}' and '${to}'${hinted === null ? '' : ` using the hint '${hinted}'`} in the schema 'public', but no matches were found.`,
      hint: nearest && `Perhaps you meant '${nearest}' instead of '${to}'.`,
    }),
  ).on(all, 'project', 'company', null, null),
  notEmbedded: define(400, 'PGRST108', (name: string) => ({
    message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })).on(all, 'bid'),
  embedRepeated: define(400, '42712', (key: string) => ({
    message: `table name "${key}" specified more than once`,
    hint: 'Give one of the two another name: name:resource(...).',
  })).on(all, 'bid'),
  relatedOrderImpossible: define(400, 'PGRST118', (from: string, to: string) => ({
    message: `A related order on '${to}' is not possible`,
    details: `'${from}' and '${to}' do not form a many-to-one or one-to-one relationship`,
    hint: `Order the rows within '${to}' with ${to}.order=...`,
  })).on(all, 'bid', 'project'),
  spreadAggregate: define(400, 'PGRST127', () => ({
    message: 'Feature not implemented',
    details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    hint: 'Leave out the "..." before the embed.',
  })).on(all),
  nameTooLong: define(400, '42622', (start: string) => ({
    message: `The name "${start}…" is too long`,
    hint: 'Use at most 63 bytes for an alias.',
  })).on(all, 'a'.repeat(63)),
  typeUnknown: define(400, '42704', (type: string, known: string) => ({
    message: `type "${type}" does not exist`,
    hint: `Types to cast to: ${known}.`,
  })).on(
    all,
    'money',
    'text, uuid, timestamptz, timestamp, date, time, timetz, smallint, integer, bigint, numeric, double precision, boolean, char, json, text[]',
  ),
  castImpossible: define(400, '42846', (from: string, to: string) => ({
    message: `cannot cast type ${from} to ${to}`,
    hint: 'Everything can be cast to text.',
  })).on(all, 'uuid', 'integer'),
  castUnreadable: define(400, '22P02', (cause: unknown) => ({
    message: 'invalid input syntax for the type of a cast',
    ...castFailed,
    cause,
  })).on(all, undefined),
  castOutOfRange: define(400, '22003', (cause: unknown) => ({
    message: 'value out of range for the type of a cast',
    ...castFailed,
    cause,
  })).on(all, undefined),
  castNoTime: define(400, '22007', (cause: unknown) => ({
    message: 'invalid date or time for the type of a cast',
    ...castFailed,
    cause,
  })).on(all, undefined),
  functionUnknown: define(400, '42883', (call: string) => ({
    message: `function ${call} does not exist`,
    hint: 'count() takes every column, max() and min() take text and times, sum() and avg() take numbers. Cast first: column::numeric.sum().',
  })).on(all, 'sum(uuid)'),
  operatorUnfit: define(400, '42883', (type: string, symbol: string) => ({
    message: `operator does not exist: ${type} ${symbol} unknown`,
    hint: `No column of type ${type} takes this operator.`,
  })).on(all, 'uuid', '~~'),
  orderImpossible: define(400, '42883', (type: string) => ({
    message: `could not identify an ordering operator for type ${type}`,
    hint: 'Order by another column.',
  })).on(all, 'text[]'),
  groupImpossible: define(400, '42883', (type: string) => ({
    message: `could not identify an equality operator for type ${type}`,
    hint: 'Cast to another type beside an aggregate.',
  })).on(all, 'json'),
  isNotBoolean: define(400, '42804', (word: string, type: string) => ({
    message: `argument of IS ${word.toUpperCase()} must be type boolean, not type ${type}`,
    hint: 'Use is.null or is.not_null.',
  })).on(all, 'true', 'text'),
  languageUnknown: define(400, '42704', (language: string, known: string) => ({
    message: `text search configuration "${language}" does not exist`,
    hint: `Languages: ${known}. Without one, it is simple.`,
  })).on(all, 'klingon', 'simple, english'),
  columnUnknown: define(400, '42703', (column: string, hint: string) => ({
    message: `column ${column} does not exist`,
    hint,
  })).on(
    all,
    'project.projectname',
    'Perhaps you meant to reference the column "project.project_name". Columns: id, bid_id, project_name, created_at, updated_at.',
  ),
  valueInvalid: define(400, '22P02', (type: string, value: string, hint: string) => ({
    message: `invalid input syntax for type ${type}: ${value}`,
    hint,
  })).on(all, 'uuid', '"17"', 'A UUID looks like 01890a5d-ac96-774b-bcce-b302099a8057.'),
  valueOutOfRange: define(400, '22003', (type: string, value: string, hint: string) => ({
    message: `value ${value} is out of range for type ${type}`,
    hint,
  })).on(all, 'bigint', '"99999999999999999999"', 'Send an integer of at most 2^63 - 1.'),
  listInvalid: define(400, '22P02', (value: string, hint: string) => ({
    message: `malformed array literal: ${value}`,
    hint,
  })).on(all, '"a,b"', 'Write a list as {a,b}, and an element with a comma, a brace or a quote in double quotes.'),
  timeInvalid: define(
    400,
    '22007',
    (text: string, type = 'timestamp with time zone', example = '2026-01-31T12:00:00Z') => ({
      message: `invalid input syntax for type ${type}: ${JSON.stringify(text)}`,
      hint: `Write it as ${example}.`,
    }),
  ).on(all, 'next week'),
  timeOutOfRange: define(400, '22008', (text: string) => ({
    message: `date/time field value out of range: ${JSON.stringify(text)}`,
    hint: 'Send a day that is in the calendar, as YYYY-MM-DD, and a time up to 23:59:60.',
  })).on(all, '2026-02-30'),
  likeEndsInEscape: define(400, '22025', () => ({
    message: 'LIKE pattern must not end with escape character',
    hint: 'Double the "\\" at the end.',
  })).on(all),
  patternInvalid: define(400, '2201B', (details: string) => ({
    message: `invalid regular expression: ${details}`,
    hint: 'Letters, classes such as [a-z] and \\d, groups, alternatives, anchors such as ^ and \\y, options such as (?i), and * + ? {n,m} are understood.',
  })).on(all, 'it cannot be parsed'),
  searchInvalid: define(400, '42601', (text: string) => ({
    message: `syntax error in tsquery: ${JSON.stringify(text)}`,
    hint: 'Join words with &, | or <->, or use wfts, which takes any text.',
  })).on(all, 'a b'),
  notGrouped: define(400, '42803', (column: string) => ({
    message: `column "${column}" must appear in the GROUP BY clause or be used in an aggregate function`,
    hint: 'Order by a column that is selected beside the aggregate.',
  })).on(all, 'project.id'),
  notSingle: define(406, 'PGRST116', (count: number) => ({
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${count} rows`,
    hint: 'Filter by the primary key, or accept application/json.',
  })).on(all, 3),
  offsetPastEnd: define(416, 'PGRST103', (offset: number, total: number) => ({
    message: 'Requested range not satisfiable',
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    hint: 'Ask for a smaller offset.',
    headers: { 'Content-Range': `*/${total}` },
  })).on(reads, 10, 1),
} satisfies Failures
