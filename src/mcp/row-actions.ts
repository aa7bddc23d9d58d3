import { columnSchema, type JsonObject, type ObjectSchema, rowSchemas } from '../docs/schemas.ts'
import { failure } from '../errors/index.ts'
import type { Resource } from '../resources/define.ts'
import type { Call } from '../rest/call.ts'
import { collectText } from './collect-text.ts'
import { selectSchema } from './select-schema.ts'
import { type Action, type Arguments, refuseOthers, resultCharactersMax, textOf } from './tool.ts'

const oneRow = { Accept: 'application/vnd.pgrst.object+json' }
const changedRow = { ...oneRow, Prefer: 'return=representation' }

const getRow: Action = {
  verb: 'get',
  method: 'GET',
  title: ({ labels }) => `Get a ${labels.one}`,
  description: ({ labels, primaryKey }) => `Returns the ${labels.one} with this ${primaryKey.name}.`,
  inputSchema: (resource) => keySchema(resource, { select: selectSchema(resource) }),
  ask: (resource, given) => {
    refuseOthers(given, [resource.primaryKey.name, 'select'])
    const query = rowQuery(resource, given)
    const select = textOf(given, 'select')
    if (select !== undefined) query.append('select', select)
    return { query, headers: oneRow }
  },
  show: async (call) => {
    const text = await collectText(call.answer.body, resultCharactersMax)
    if (text.length > resultCharactersMax) throw failure.resultTooLong(resultCharactersMax)
    return text
  },
}

const createRow: Action = {
  verb: 'create',
  method: 'POST',
  title: ({ labels }) => `Create a ${labels.one}`,
  description: ({ labels, primaryKey }) =>
    `Creates a ${labels.one} and returns it. With an own "${primaryKey.name}", sending it again does not create a second one.`,
  inputSchema: (resource) => rowSchemas.new(resource),
  ask: (_, given) => ({ query: new URLSearchParams(), body: given }),
  show: showWritten,
}

const updateRow: Action = {
  verb: 'update',
  method: 'PATCH',
  title: ({ labels }) => `Change a ${labels.one}`,
  description: ({ labels, primaryKey }) =>
    `Changes the ${labels.one} with this ${primaryKey.name} and returns it. What is left out stays as it is.`,
  inputSchema: (resource) => keySchema(resource, rowSchemas.change(resource).properties),
  ask: (resource, given) => {
    const { [resource.primaryKey.name]: _, ...body } = given
    if (Object.keys(body).length === 0) {
      const names = Object.keys(rowSchemas.change(resource).properties)
      throw failure.argumentInvalid('There is nothing to change', `Arguments: ${names.join(', ')}.`)
    }
    return { query: rowQuery(resource, given), headers: changedRow, body }
  },
  show: showWritten,
}

const deleteRow: Action = {
  verb: 'delete',
  method: 'DELETE',
  title: ({ labels }) => `Delete a ${labels.one}`,
  description: ({ labels, primaryKey }) =>
    `Deletes the ${labels.one} with this ${primaryKey.name}, and returns it as it was. This cannot be undone.`,
  inputSchema: (resource) => keySchema(resource, {}),
  ask: (resource, given) => {
    refuseOthers(given, [resource.primaryKey.name])
    return { query: rowQuery(resource, given), headers: changedRow }
  },
  show: showWritten,
}

/** What tools do with one row, named by its primary key. */
export const rowActions: readonly Action[] = [getRow, createRow, updateRow, deleteRow]

/** What was written is shown however long it is: it has happened. */
function showWritten({ answer }: Call): Promise<string> {
  return collectText(answer.body, Number.POSITIVE_INFINITY)
}

function keySchema(resource: Resource, others: JsonObject): ObjectSchema {
  const { primaryKey } = resource
  const { name } = primaryKey
  return {
    type: 'object',
    properties: { [name]: columnSchema(resource, primaryKey), ...others },
    required: [name],
    additionalProperties: false,
  }
}

function rowQuery({ primaryKey: { name } }: Resource, given: Arguments): URLSearchParams {
  const value = given[name]
  if (typeof value !== 'string' && typeof value !== 'number')
    throw failure.argumentInvalid(`"${name}" is missing`, `Send the "${name}" of the row.`)
  return new URLSearchParams([[name, `eq.${value}`]])
}
