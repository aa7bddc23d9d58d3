import { parseResource } from './parse-definition.ts'
import { type Body, invalid, refuseOthers } from './parse-values.ts'

/** `{"resource": "project", "ids": ["0189…", …]}` */
export function parseOrder(body: Body): { readonly resource: string; readonly ids: readonly string[] } {
  refuseOthers(body, ['resource', 'ids'])
  const { ids } = body
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string')
  if (!isList) throw invalid('"ids" must be a list', 'Send the ids of all fields of the resource in their order.')
  return { resource: parseResource(body.resource), ids }
}
