import type { Column, Resource } from './define.ts'

/** Where the settings page lists the rows: `work_order` → /work-orders */
export const pagePathOf = ({ labels }: Resource): string => `/${labels.many.replaceAll(' ', '-')}`

/** What people call a column: `project_name` of a project → Name, `bid_id` → Bid, `created_at` → Created, `is_open` → Open */
export function labelOf({ name: resource }: Resource, { name, references, label }: Column): string {
  if (label !== undefined) return label
  const own = name.startsWith(`${resource}_`) ? name.slice(resource.length + 1) : name
  const words = own.replace(references ? /_id$/ : /^is_|_at$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The column by which people know a row: the first text that every row has, or else its key. */
export const namingColumnOf = ({ columns, primaryKey }: Resource): Column =>
  [...columns.values()].find(({ type, nullable }) => type === 'text' && !nullable) ?? primaryKey
