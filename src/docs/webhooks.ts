import type { Resource } from '../resources/define.ts'
import { event } from '../resources/index.ts'
import { type JsonObject, ref } from './schemas.ts'

const actions = {
  created: { summary: (one: string) => `A ${one} was created`, row: 'The new row.' },
  updated: { summary: (one: string) => `A ${one} was changed`, row: 'The row after the change.' },
  deleted: { summary: (one: string) => `A ${one} was deleted`, row: 'The row as it was.' },
} as const

/** What is sent to the webhooks of a company, by the type of the event: for those who may read the rows, and events. */
export function makeWebhooks(resources: readonly Resource[]): JsonObject {
  const readable = resources.filter(({ methods }) => methods.includes('GET'))
  const showsEvents = readable.some(({ name }) => name === event.name)
  const watched = showsEvents ? readable.filter(({ isReadOnly }) => !isReadOnly) : []
  const described = watched.flatMap((resource) =>
    Object.entries(actions).map(([action, { summary, row }]) => {
      const type = `${resource.name}.${action}`
      return [type, { post: operationOf({ type, summary: summary(resource.labels.one), row: rowOf(resource, row) }) }]
    }),
  )
  return Object.fromEntries(described)
}

const rowOf = ({ name }: Resource, description: string): JsonObject => ({ description, allOf: [ref('schemas', name)] })

interface Told {
  readonly type: string
  readonly summary: string
  /** The schema of the row. */
  readonly row: JsonObject
}

const operationOf = ({ type, summary, row }: Told): JsonObject => ({
  operationId: `on_${type.replace('.', '_')}`,
  tags: ['webhooks'],
  summary,
  description: 'Sent as Standard Webhooks 1.0. Verify the signature before you trust the body.',
  security: [{}],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            type: { type: 'string', const: type },
            timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
            data: {
              description: 'The event.',
              allOf: [
                ref('schemas', 'event'),
                { type: 'object', properties: { type: { type: 'string', const: type }, row } },
              ],
            },
          },
          required: ['type', 'timestamp', 'data'],
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'It was received. Any other answer, or none within 15 seconds, is tried again later.' },
    410: { description: 'The webhook is disabled.' },
  },
})

const header = (name: string, description: string, schema: JsonObject): JsonObject => ({
  ...{ name, in: 'header', required: true, description, schema },
})

const headers: readonly JsonObject[] = [
  header('webhook-id', 'Of the event. It is the same at each attempt: ignore what you know already.', {
    type: 'string',
    format: 'uuid',
  }),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', { type: 'integer' }),
  header('webhook-signature', 'One or more signatures with a blank between them: `v1,` and HMAC-SHA256 in base64.', {
    type: 'string',
  }),
]
