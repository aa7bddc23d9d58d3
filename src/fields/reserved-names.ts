/**
 * Names that no company can give to a field of its own. Every column that is built in later has one of them, so that it
 * never meets a field. `docs/fields.md` publishes the list; a test holds the two equal.
 */
export const reservedNames: readonly string[] = [
  // Parameters and functions of the query.
  ...['and', 'or', 'not', 'select', 'columns', 'order', 'limit', 'offset', 'on_conflict'],
  ...['count', 'sum', 'avg', 'min', 'max'],
  // What a row may have.
  ...['id', 'company_id', 'project_id', 'bid_id', 'parent_id', 'external_id', 'owner_id', 'person_id', 'customer_id'],
  ...['project_name', 'project_number', 'bid_name', 'bid_number'],
  ...['created_at', 'created_by', 'updated_at', 'updated_by', 'archived_at', 'archived_by', 'deleted_at', 'deleted_by'],
  ...['version', 'revision', 'fields', 'fields_version', 'archived_fields'],
  // What may belong to a row.
  ...['bid', 'project', 'field', 'event', 'task', 'company', 'member', 'comment', 'comments', 'attachment'],
  ...['attachments', 'link', 'links', 'tag', 'tags', 'metadata'],
  // Every object of JavaScript has it.
  'constructor',
]
