import type { Column, Resource } from '../api-types.ts'
import { referencesIn } from './resources.ts'

/** `project` → "a project", `invoice` → "an invoice" */
export const oneOf = ({ one }: Resource): string => `${/^[aeiou]/i.test(one) ? 'an' : 'a'} ${one}`

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `name`, `note`, `state` → "name, note or state" */
export const anyOf = (words: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(words).replace(', or ', ' or ')

export const labelsOf = (columns: readonly Column[]): string => anyOf(columns.map(({ label }) => label.toLowerCase()))

/** What a page without rows says: where they come from, and whether they are where to begin. */
export function emptyText(resource: Resource, resources: readonly Resource[]): string {
  if (resource.read_only) return 'The service writes them itself.'
  const references = referencesIn(resources)
  const [parent] = references.filter(({ from, column }) => from === resource && column.needed)
  const [child] = references.filter(({ to, column }) => to === resource && column.needed)
  if (child && !parent) return `Every ${child.from.one} belongs to ${oneOf(resource)}, so this is where to begin.`
  const origin = 'Create one here, or let an application create it through the API.'
  return parent ? `${capitalized(oneOf(resource))} belongs to ${oneOf(parent.to)}. ${origin}` : origin
}
