import { allow, bodies, changes } from '../methods.ts'
import { define, type Failures } from './define.ts'

/** What is written, and the rows it meets. */
export const written = {
  fieldUnknown: define(400, 'PGRST204', (field: string, resource: string, allowed: string) => ({
    message: `Could not find the '${field}' column of '${resource}' in the schema cache`,
    hint: `Fields that can be sent: ${allowed}.`,
  })).on(bodies, 'name', 'project', 'id, bid_id, project_name'),
  columnNotWritable: define(400, '428C9', (column: string) => ({
    message: `cannot insert a non-DEFAULT value into column "${column}"`,
    details: `Column "${column}" is set by the server.`,
    hint: `Leave "${column}" out, or change an existing row and send the value that it has now.`,
  })).on(bodies, 'created_at'),
  textImpossible: define(400, '22P05', (column: string) => ({
    message: 'unsupported Unicode escape sequence',
    details: `${column} holds a character that text cannot hold: U+0000 or half of a surrogate pair.`,
    hint: 'Remove the character.',
  })).on(bodies, 'project_name'),
  valueMissing: define(400, '23502', (column: string, resource: string) => ({
    message: `null value in column "${column}" of relation "${resource}" violates not-null constraint`,
    hint: `Send a value for "${column}".`,
  })).on(bodies, 'bid_id', 'project'),
  checkViolated: define(400, '23514', (column: string, resource: string, rule: string) => ({
    message: `new row for relation "${resource}" violates check constraint "${resource}_${column}_check"`,
    hint: `"${column}" must have ${rule}.`,
  })).on(bodies, 'project_name', 'project', '1 to 255 characters that are not all blank'),
  filterMissing: define(400, '21000', (command: string) => ({
    message: `${command} requires a WHERE clause`,
    hint: 'Name the rows with a filter, such as ?id=eq.<id>.',
  })).on(changes, 'DELETE'),
  conflictTargetUnknown: define(400, '42P10', (key: string) => ({
    message: 'there is no unique or exclusion constraint matching the ON CONFLICT specification',
    hint: `Use on_conflict=${key}, or leave it out.`,
  })).on(['POST', 'PUT'], 'id'),
  conflictTwice: define(400, '21000', () => ({
    message: 'ON CONFLICT DO UPDATE command cannot affect row a second time',
    hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
  })).on(['POST']),
  putRange: define(400, 'PGRST114', () => ({
    message: 'limit/offset querystring parameters are not allowed for PUT',
    hint: 'Leave them out.',
  })).on(['PUT']),
  putFilter: define(405, 'PGRST105', (key: string) => ({
    message: "Filters must include all and only primary key columns with 'eq' operators",
    hint: `Write PUT …?${key}=eq.<${key}>.`,
    headers: { Allow: allow },
  })).on(['PUT'], 'id'),
  putMismatch: define(400, 'PGRST115', (key: string) => ({
    message: 'Payload values do not match URL in primary key column(s)',
    hint: `Send one object, with the same "${key}" as in the URL.`,
  })).on(['PUT'], 'id'),
  referenceMissing: define(409, '23503', (resource: string, column: string, target: string) => ({
    message: `insert or update on table "${resource}" violates foreign key constraint "${resource}_${column}_fkey"`,
    details: `Key (${column}) is not present in table "${target}".`,
    hint: `Send the id of an existing ${target}; GET /rest/v1/${target} lists them.`,
  })).whereItRefers(bodies, 'project', 'bid_id', 'bid'),
  stillReferenced: define(409, '23503', (resource: string, key: string, by: string, constraint: string) => ({
    message: `update or delete on table "${resource}" violates foreign key constraint "${constraint}" on table "${by}"`,
    details: `Key (${key}) is still referenced from table "${by}".`,
    hint: `Delete its rows of "${by}" first, or give them another ${resource}.`,
  })).whereReferredTo(changes, 'bid', 'id', 'project', 'project_bid_id_fkey'),
  duplicate: define(409, '23505', (resource: string, column: string) => ({
    message: `duplicate key value violates unique constraint "${resource}_pkey"`,
    details: `Key (${column}) already exists.`,
    hint: `Send another ${column}, or leave it out and one is made.`,
  })).on(['POST', 'PATCH'], 'project', 'id'),
  transitionNotAllowed: define(
    409,
    'transition_not_allowed',
    (column: string, from: string | null, to: string | null, next: readonly string[]) => ({
      message: `"${column}" cannot change from ${from ?? 'no value'} to ${to ?? 'no value'}`,
      details: from === null ? 'The row has no value yet.' : `The row has the value "${from}".`,
      hint:
        next.length === 0
          ? 'No other value may follow. Nothing was changed.'
          : `Allowed next: ${next.join(', ')}. Nothing was changed.`,
    }),
  ).on(bodies, 'status', 'won', 'lead', ['lost']),
  tooManyAffected: define(400, 'PGRST124', (count: number) => ({
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${count} rows`,
    hint: 'Narrow the filter, or raise max-affected. Nothing was changed.',
  })).on(changes, 3),
  versionDiffers: define(412, 'precondition_failed', () => ({
    message: 'The rows are not as in If-Match',
    hint: 'Somebody changed them. Read them again, with the same select, and send the new ETag. Nothing was changed.',
  })).on([...changes, 'PUT']),
  rowExists: define(412, 'precondition_failed', () => ({
    message: 'There is such a row already',
    hint: 'If-None-Match: * only makes new rows. Leave it out to change this one. Nothing was changed.',
  })).on(['POST', 'PUT']),
} satisfies Failures
