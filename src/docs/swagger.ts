import { version } from '../../package.json'
import { bodies } from '../methods.ts'
import { type Column, type Resource, typeOf } from '../resources/define.ts'
import { resources as builtIn } from '../resources/index.ts'
import { contactOf } from './contact.ts'
import type { JsonObject } from './schemas.ts'

/** The resources as Swagger 2.0, in the form that PostgREST gives it: clients of Supabase read `definitions` from it. */
export const swaggerText = (baseUrl: string | null = null, resources: readonly Resource[] = builtIn): string =>
  JSON.stringify(makeDocument(baseUrl, resources))

const mediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
]

function makeDocument(baseUrl: string | null, resources: readonly Resource[]): JsonObject {
  return {
    swagger: '2.0',
    info: {
      ...{ title: 'Project API', version, contact: contactOf(baseUrl) },
      description: 'The resources alone. OpenAPI 3.1, with everything, is at the same address without a version.',
    },
    tags: [
      ...resources.map(({ name, description }) => ({ name, description })),
      { name: 'Introspection', description: 'The API about itself.' },
    ],
    ...(baseUrl === null ? {} : { host: new URL(baseUrl).host, schemes: [new URL(baseUrl).protocol.replace(':', '')] }),
    basePath: '/rest/v1',
    consumes: mediaTypes,
    produces: mediaTypes,
    securityDefinitions: {
      apikey: { type: 'apiKey', in: 'header', name: 'apikey' },
      secret: { type: 'apiKey', in: 'header', name: 'X-API-Secret' },
    },
    security: [{ apikey: [], secret: [] }],
    paths: {
      '/': {
        get: {
          tags: ['Introspection'],
          operationId: 'get_description',
          summary: 'OpenAPI description (this document)',
          description: 'Anyone may read it.',
          produces: ['application/openapi+json', 'application/json'],
          responses: { 200: { description: 'OK' } },
        },
      },
      ...Object.fromEntries(resources.map((resource) => [`/${resource.name}`, pathOf(resource)])),
    },
    definitions: Object.fromEntries(resources.map((resource) => [resource.name, definitionOf(resource)])),
    parameters: Object.assign({ ...parameters }, ...resources.map(parametersOf)),
  }
}

/** Tools find keys by the marks in the descriptions. */
function definitionOf({ description, columns }: Resource): JsonObject {
  const all = [...columns.values()]
  return {
    description,
    required: all.filter(({ nullable }) => !nullable).map(({ name }) => name),
    properties: Object.fromEntries(all.map((column) => [column.name, propertyOf(column)])),
    type: 'object',
  }
}

function propertyOf(column: Column): JsonObject {
  const { primaryKey, references, maxLength, default: value } = column
  const { name, jsonSchema, toJson } = typeOf(column)
  const target = builtIn.find((other) => other.name === references)
  const notes = [...(primaryKey ? ['This is a Primary Key.<pk/>'] : []), ...(target ? [foreignKeyNote(target)] : [])]
  return {
    ...(value === undefined ? {} : { default: JSON.parse(toJson(value)) }),
    description: [column.description, ...(notes.length > 0 ? [`Note:\n${notes.join('\n')}`] : [])].join('\n\n'),
    format: name,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(typeof jsonSchema.type === 'string' ? { type: jsonSchema.type } : {}),
    ...(jsonSchema.items ? { items: jsonSchema.items } : {}),
  }
}

const foreignKeyNote = ({ name, primaryKey }: Resource): string =>
  `This is a Foreign Key to \`${name}.${primaryKey.name}\`.<fk table='${name}' column='${primaryKey.name}'/>`

function pathOf({ name, description, columns, methods }: Resource): JsonObject {
  const about = (verb: string, summary: string) => ({
    ...{ tags: [name], operationId: `${verb}_${name}`, summary, description },
  })
  const filters = [...columns.keys()].map((column) => ref(`rowFilter.${name}.${column}`))
  const body = ref(`body.${name}`)
  const rows = { description: 'OK', schema: { type: 'array', items: { $ref: `#/definitions/${name}` } } }
  const operations = {
    get: {
      ...about('list', `List ${name}s`),
      parameters: [...filters, ...['select', 'order', 'range', 'offset', 'limit', 'preferCount'].map(ref)],
      responses: { 200: rows, 206: { description: 'Partial Content' } },
    },
    post: {
      ...about('create', `Create a ${name}`),
      parameters: [body, ref('select'), ref('preferPost')],
      responses: { 201: { description: 'Created' } },
    },
    patch: {
      ...about('update', `Change all ${name}s that match`),
      parameters: [...filters, body, ref('preferReturn')],
      responses: { 204: { description: 'No Content' } },
    },
    delete: {
      ...about('delete', `Delete all ${name}s that match`),
      parameters: [...filters, ref('preferReturn')],
      responses: { 204: { description: 'No Content' } },
    },
  }
  const isServed = ([method]: [string, unknown]): boolean => methods.some((one) => one.toLowerCase() === method)
  return Object.fromEntries(Object.entries(operations).filter(isServed))
}

const ref = (name: string): JsonObject => ({ $ref: `#/parameters/${name}` })

const query = (name: string, description: string): JsonObject => ({ name, description, in: 'query', type: 'string' })

const prefer = (description: string, wishes: readonly string[]): JsonObject => ({
  ...{ name: 'Prefer', description, in: 'header', type: 'string' },
  enum: wishes,
})

const returns = ['return=representation', 'return=minimal']

const parameters: JsonObject = {
  select: query('select', 'Filtering Columns'),
  order: query('order', 'Ordering'),
  limit: query('limit', 'Limiting and Pagination'),
  offset: query('offset', 'Limiting and Pagination'),
  range: { name: 'Range', description: 'Limiting and Pagination', in: 'header', type: 'string' },
  preferCount: prefer('Preference', ['count=exact']),
  preferReturn: prefer('Preference', returns),
  preferPost: prefer('Preference', [...returns, 'resolution=ignore-duplicates', 'resolution=merge-duplicates']),
}

function parametersOf({ name, columns, methods }: Resource): JsonObject {
  const filters = [...columns.values()].map((column) => [
    `rowFilter.${name}.${column.name}`,
    { name: column.name, description: column.description, in: 'query', type: 'string' },
  ])
  return {
    ...(methods.every((method) => !bodies.includes(method))
      ? {}
      : { [`body.${name}`]: { name, description: name, in: 'body', schema: { $ref: `#/definitions/${name}` } } }),
    ...Object.fromEntries(filters),
  }
}
