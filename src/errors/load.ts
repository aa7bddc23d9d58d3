import { all, reads, writes } from '../methods.ts'
import { define, type Failures } from './define.ts'

const retrySoon = { 'Retry-After': '1' }

/** What is too much, and what does not work at the moment. */
export const load = {
  tooComplex: define(400, '54001', (cause: unknown) => ({
    message: 'The request is too complex for the database',
    hint: 'Ask for less at once.',
    cause,
  })).on(all, undefined),
  tooLarge: define(400, '54000', (cause: unknown) => ({
    message: 'More than 8 MiB would be shown of one row or by one write',
    hint: 'Give the embed a limit, such as project.limit=100, or list its rows by themselves. After a write, ask for return=minimal.',
    cause,
  })).on(all, undefined),
  rowTooLarge: define(400, '54000', () => ({
    message: 'More than 2 MiB of one row would have to be converted',
    hint: 'Give the embed a limit, such as project.limit=100, or ask for JSON without a time zone and with its nulls.',
  })).on(reads),
  tooSlow: define(504, '57014', (cause: unknown) => ({
    message: 'canceling statement due to statement timeout',
    hint: 'Ask for less: give a read a limit, change fewer rows by a narrower filter, or send them in parts.',
    cause,
  })).on(all, undefined),
  overloaded: define(503, 'overloaded', (seconds = 1) => ({
    message: 'More requests came in than can be served',
    hint: `Wait ${seconds} s and send it again, and fewer at once. Nothing was done.`,
    headers: { 'Retry-After': String(seconds) },
  })).on(all),
  writesCollided: define(503, '40P01', (cause: unknown) => ({
    message: 'Two writes waited for each other, and this one was undone',
    hint: 'Send it again. Nothing was written.',
    headers: retrySoon,
    cause,
  })).on(writes, undefined),
  fieldsChanged: define(503, 'fields_changed', () => ({
    message: 'The fields of the company were changed while the request was under way',
    hint: 'Send it again. Nothing was written.',
    headers: retrySoon,
  })).on(writes),
  databaseAway: define(503, 'PGRST001', (cause: unknown) => ({
    message: 'The database cannot be reached at the moment',
    hint: 'Try again in a second.',
    headers: retrySoon,
    cause,
  })).on(all, undefined),
  databaseReadOnly: define(503, '25006', (cause: unknown) => ({
    message: 'The database takes no changes at the moment',
    hint: 'Reading works. Try again in a few seconds. Nothing was written.',
    headers: { 'Retry-After': '5' },
    cause,
  })).on(writes, undefined),
  databaseFull: define(503, '53100', (cause: unknown) => ({
    message: 'The database has no room left',
    hint: 'Reading works. The operator has to make room on its disk. Nothing was written.',
    headers: { 'Retry-After': '30' },
    cause,
  })).on(writes, undefined),
  databaseDamaged: define(503, 'XX001', (cause: unknown) => ({
    message: 'The database is damaged',
    hint: 'The operator has to restore the latest backup.',
    headers: { 'Retry-After': '60' },
    cause,
  })).on(all, undefined),
  outcomeUnknown: define(503, 'outcome_unknown', (cause: unknown) => ({
    message: 'The connection to the database was lost, and the change may or may not have been made',
    hint: 'Read the rows before you send it again. With an Idempotency-Key it can be sent again without looking.',
    headers: retrySoon,
    cause,
  })).on(writes, undefined),
  bug: define(500, 'XX000', (cause: unknown) => ({
    message: 'Something went wrong on our side',
    hint: 'Report the X-Request-Id of this answer to the operator.',
    cause,
  })).on(all, undefined),
} satisfies Failures
