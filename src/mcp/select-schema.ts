import { embedsOf, type JsonObject } from '../docs/schemas.ts'
import type { Resource } from '../resources/define.ts'

/** The argument that names the columns to show. */
export function selectSchema(resource: Resource): JsonObject {
  const columns = [...resource.columns.keys()].join(', ')
  const embeds = Object.keys(embedsOf(resource)).map((name) => `${name}(*)`)
  const belonging = embeds.length === 0 ? '' : ` Rows that belong to it: ${embeds.join(', ')}, as in *,${embeds[0]}.`
  return {
    type: 'string',
    description: `Columns to show, separated by commas; all of them if left out. Columns: ${columns}.${belonging}`,
    examples: [['*', ...embeds].join(',')],
  }
}
