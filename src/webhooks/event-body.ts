import type { StoredEvent } from '../store/events/read-events.ts'

/** What is sent: the event as `GET /rest/v1/event` shows it, in the envelope of Standard Webhooks. */
export function bodyOf({
  id,
  sequence,
  type,
  resource,
  rowId,
  row,
  changed,
  previous,
  createdAt,
  ...by
}: StoredEvent): string {
  // Texts that are JSON already stay as they are, so that no digit of a number is lost.
  const data = [
    ...[
      `"sequence":${sequence}`,
      `"id":"${id}"`,
      `"type":"${type}"`,
      `"resource":"${resource}"`,
      `"row_id":"${rowId}"`,
    ],
    ...[`"row":${row}`, `"changed":${changed}`, `"previous":${previous ?? 'null'}`, `"created_at":"${createdAt}"`],
    ...[`"actor_kind":${JSON.stringify(by.actorKind)}`, `"actor_id":${JSON.stringify(by.actorId)}`],
  ]
  return `{"type":"${type}","timestamp":"${createdAt}","data":{${data.join(',')}}}`
}
