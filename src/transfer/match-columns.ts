import { type Column, isNeeded, isWritable, type Resource } from '../resources/define.ts'
import { labelOf } from '../resources/labels.ts'

/** The columns that a file can have values for. */
export const importableColumns = ({ columns }: Resource): Column[] => [...columns.values()].filter(isWritable)

/** `['Project', 'Bid', 'Notes']` → `['project_name', 'bid_id', null]`: by the names and labels of the definition. */
export function matchColumns(resource: Resource, header: readonly string[]): (string | null)[] {
  const names = new Map<string, string>()
  for (const column of importableColumns(resource))
    for (const name of namesOf(resource, column).map(simplified)) if (!names.has(name)) names.set(name, column.name)
  const taken = new Set<string>()
  return header.map((title) => {
    const column = names.get(simplified(title))
    if (column === undefined || taken.has(column)) return null
    taken.add(column)
    return column
  })
}

/** What people may call a column: `project_name` is also "Name", "Project name" and, as what names a project, "Project". */
function namesOf(resource: Resource, column: Column): string[] {
  const label = labelOf(resource, column)
  const own = column.name === `${resource.name}_name` ? [resource.labels.one] : []
  return [column.name, label, `${resource.labels.one} ${label}`, ...own, ...(column.references ? [`${label} id`] : [])]
}

/** `Bid-ID ` → "bidid" */
const simplified = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Columns without which no row can be made, and that the file does not have. */
export const missingColumns = (resource: Resource, columns: readonly (string | null)[]): Column[] =>
  importableColumns(resource).filter((column) => isNeeded(column) && !columns.includes(column.name))
