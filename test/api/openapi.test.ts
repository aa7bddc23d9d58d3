import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import released from '../../docs/openapi.json'
import { openapiText } from '../../src/docs/openapi.ts'
import { swaggerText } from '../../src/docs/swagger.ts'
import { columnsOf } from '../../src/resources/define.ts'
import { project, resources } from '../../src/resources/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { findBreaks } from '../support/openapi-diff.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of any form, to be taken apart by its parts' names
type Document = any

const read = (): Document => JSON.parse(openapiText())

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(read())
    expect([valid, errors]).toEqual([true, undefined])
  })

  test('describes every resource with every method that it has', () => {
    for (const { name, methods } of resources) {
      const described = Object.keys(read().paths[`/${name}`]).toSorted()
      expect(described).toEqual(['options', ...methods.map((method) => method.toLowerCase())].toSorted())
    }
  })

  test('has a filter for every column, with the operators that fit', () => {
    const { parameters } = read().components
    expect(parameters['project.id'].schema['x-operators']).toContain('in')
    expect(parameters['project.id'].schema['x-operators']).not.toContain('ilike')
    expect(parameters['project.project_name'].schema['x-operators']).toContain('ilike')
  })

  test('has one media type for each body, as generators make a union of several', () => {
    const several = contentsOf(read()).filter((content) => Object.keys(content).length !== 1)
    expect(several).toEqual([])
  })

  test('says that whole rows have all columns, and takes an object for a new one', () => {
    const { paths, components } = read()
    expect(components.schemas.project.required).toEqual([...project.columns.keys()])
    const { requestBody, responses } = paths['/project'].post
    expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/project_new' })
    expect(responses[201].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/project' })
  })

  test('names the server by its whole address where that is known', () => {
    const { servers } = JSON.parse(openapiText('https://api.example.com'))
    expect([read().servers[0].url, servers[0].url]).toEqual(['/rest/v1', 'https://api.example.com/rest/v1'])
  })

  test('never speaks of the company', () => expect(openapiText()).not.toContain('company_id'))

  // After a release, the document becomes the released one: curl …/rest/v1/ | jq . > docs/openapi.json
  test('takes nothing away that was released', () => expect(findBreaks(released, read())).toEqual([]))
})

/** Every `content` in a document. */
function contentsOf(part: Document): Document[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => [...(key === 'content' ? [value] : []), ...contentsOf(value)])
}

describe('the same as Swagger 2.0', () => {
  const swagger = (baseUrl: string | null = null): Document => JSON.parse(swaggerText(baseUrl))

  test('is valid', async () => {
    const { valid, errors } = await new Validator().validate(swagger())
    expect([valid, errors]).toEqual([true, undefined])
  })

  // Clients of Supabase find the keys by these marks.
  test('defines every resource as PostgREST does', () => {
    const { definitions } = swagger()
    expect(Object.keys(definitions).toSorted()).toEqual(resources.map(({ name }) => String(name)).toSorted())
    const { id, bid_id, created_at } = definitions.project.properties
    const required = columnsOf(project).filter(({ nullable }) => !nullable)
    expect(definitions.project.required).toEqual(required.map(({ name }) => name))
    expect(id).toMatchObject({ type: 'string', format: 'uuid', description: expect.stringContaining('<pk/>') })
    expect(bid_id.description).toContain("This is a Foreign Key to `bid.id`.<fk table='bid' column='id'/>")
    expect(created_at.format).toBe('timestamp with time zone')
  })

  test('has every method that PostgREST has, with filters', () => {
    const { paths, parameters } = swagger()
    expect(Object.keys(paths['/bid'])).toEqual(['get', 'post', 'patch', 'delete'])
    expect(paths['/bid'].get.parameters).toContainEqual({ $ref: '#/parameters/rowFilter.bid.bid_name' })
    expect(parameters['body.bid'].schema).toEqual({ $ref: '#/definitions/bid' })
  })

  test('names the server by its whole address where that is known', () => {
    expect(swagger()).toMatchObject({ basePath: '/rest/v1' })
    expect(swagger('https://api.example.com:8443')).toMatchObject({ host: 'api.example.com:8443', schemes: ['https'] })
  })
})

describe('what a newer document may not do', () => {
  const get = (document: Document) => document.paths['/project'].get
  const sent = (document: Document) => document.components.schemas.project_new
  const row = (document: Document) => document.components.schemas.project
  const rows = { type: 'array', items: { $ref: '#/components/schemas/project' } }

  const forbidden: readonly [string, (document: Document) => void, RegExp][] = [
    ['remove a path', (it) => delete it.paths['/bid'], /^path \/bid removed$/],
    ['remove a method', (it) => delete it.paths['/bid'].put, /method put removed/],
    ['rename an operation', (it) => Object.assign(get(it), { operationId: 'all' }), /operationId changed/],
    ['remove a parameter', (it) => get(it).parameters.shift(), /parameter query select removed/],
    [
      'require a parameter that was optional',
      (it) => Object.assign(it.components.parameters.limit, { required: true }),
      /parameter query limit became required/,
    ],
    [
      'add a required parameter',
      (it) => get(it).parameters.push({ name: 'page', in: 'query', required: true, schema: {} }),
      /parameter query page is new and required/,
    ],
    [
      'take a filter once only',
      (it) => Object.assign(it.components.parameters['project.id'], { schema: { type: 'string' } }),
      /parameter query id type changed/,
    ],
    [
      'change the type of a parameter',
      (it) => Object.assign(it.components.parameters.limit.schema, { type: 'string' }),
      /limit type changed/,
    ],
    [
      'raise the minimum of a parameter',
      (it) => Object.assign(it.components.parameters.limit.schema, { minimum: 1 }),
      /limit minimum changed from 0 to 1/,
    ],
    [
      'remove an operator',
      (it) => it.components.parameters['project.id'].schema['x-operators'].shift(),
      /parameter query id x-operators: "eq" removed/,
    ],
    [
      'remove a preference',
      (it) => it.components.parameters['Prefer.GET'].schema['x-preferences'].shift(),
      /x-preferences: "count=exact" removed/,
    ],
    [
      'remove a value of an enum',
      (it) => Object.assign(it.components.parameters['Accept-Profile'].schema, { enum: ['private'] }),
      /enum: "public" removed/,
    ],
    ['remove an answer', (it) => delete get(it).responses[206], /answer 206 removed/],
    ['remove a header', (it) => delete get(it).responses[200].headers.ETag, /header ETag removed/],
    [
      'remove a media type',
      (it) => delete get(it).responses[200]['x-content']['text/csv'],
      /media type text\/csv removed/,
    ],
    [
      'remove what generators go by',
      (it) => delete get(it).responses[200].content['application/json'],
      /usual media type application\/json removed/,
    ],
    [
      'answer with rows where it was a row',
      (it) => Object.assign(it.paths['/project'].post.responses[201].content['application/json'], { schema: rows }),
      /usual application\/json type changed from object to array/,
    ],
    [
      'drop a member of whole rows',
      (it) => row(it).required.pop(),
      /usual application\/json\[\] required: "updated_at" removed/,
    ],
    ['remove a property of an answer', (it) => delete row(it).properties.bid_id, /property bid_id removed/],
    [
      'change the type of a property',
      (it) => Object.assign(row(it).properties.bid_id, { type: 'integer' }),
      /bid_id type changed from string to integer/,
    ],
    [
      'make a property nullable',
      (it) => Object.assign(row(it).properties.bid_id, { type: ['string', 'null'] }),
      /bid_id type changed/,
    ],
    ['forget the type of a property', (it) => delete row(it).properties.bid_id.type, /bid_id type changed/],
    ['change a format', (it) => Object.assign(row(it).properties.bid_id, { format: 'int' }), /bid_id format changed/],
    ['drop a member that always came', (it) => it.components.schemas.error.required.pop(), /required: "hint" removed/],
    ['remove an error code', (it) => dropCode(it.components.responses.GET_401), /"invalid_api_key" removed/],
    ['require a property in a body', (it) => sent(it).required.push('id'), /not required: "id" removed/],
    [
      'take shorter names',
      (it) => Object.assign(sent(it).properties.project_name, { maxLength: 100 }),
      /maxLength changed from 255 to 100/,
    ],
    ['remove a property of a body', (it) => delete sent(it).properties.id, /property id removed/],
    [
      'require a body',
      (it) => Object.assign(it.paths['/project'].delete, { requestBody: { required: true, content: {} } }),
      /body became required/,
    ],
    [
      'remove a type of body',
      (it) => delete it.paths['/project'].post.requestBody['x-content']['text/csv'],
      /body media type text\/csv removed/,
    ],
    ['remove a way to say who is asking', (it) => get(it).security.pop(), /security: .*apikey.* removed/],
    [
      'move a key to another header',
      (it) => Object.assign(it.components.securitySchemes.secret, { name: 'X-Secret' }),
      /security scheme secret name changed/,
    ],
  ]
  for (const [what, change, expected] of forbidden) {
    test(what, () => {
      const changed = read()
      change(changed)
      expect(findBreaks(read(), changed).join('\n')).toMatch(new RegExp(expected.source, 'm'))
    })
  }

  const allowed: readonly [string, (document: Document) => void][] = [
    ['add a path', (it) => Object.assign(it.paths, { '/invoice': it.paths['/bid'] })],
    ['add a parameter', (it) => get(it).parameters.push({ name: 'page', in: 'query', schema: {} })],
    ['add a column', (it) => Object.assign(row(it).properties, { colour: { type: 'string' } })],
    ['take longer names', (it) => Object.assign(sent(it).properties.project_name, { maxLength: 500 })],
    ['add an operator', (it) => it.components.parameters['project.id'].schema['x-operators'].push('near')],
    ['add an answer', (it) => Object.assign(get(it).responses, { 418: get(it).responses[400] })],
    ['say it in other words', (it) => Object.assign(it.info, { description: 'Other words', version: '9' })],
  ]
  for (const [what, change] of allowed) {
    test(`but may ${what}`, () => {
      const changed = read()
      change(changed)
      expect(findBreaks(read(), changed)).toEqual([])
    })
  }
})

function dropCode(answer: Document): void {
  answer.content['application/json'].schema.allOf[1].properties.code.enum.pop()
}

onEachEngine('the OpenAPI document on the wire', (world) => {
  for (const path of ['', '/']) {
    test(`is at /rest/v1${path}, for everyone`, async () => {
      const response = await fetch(`${world.base}/rest/v1${path}`)
      expect([response.status, response.headers.get('Content-Type')]).toEqual([
        200,
        'application/openapi+json; charset=utf-8',
      ])
      expect(await response.json()).toEqual(read())
    })
  }

  const accepted: readonly [string, number][] = [
    ['*/*', 200],
    ['application/json', 200],
    ['application/openapi+json', 200],
    ['text/html, application/json;q=0.5', 200],
    ['text/csv', 406],
    // As for rows, what comes behind the first fifty is ignored.
    [`${'text/csv,'.repeat(49)}application/json`, 200],
    [`${'text/csv,'.repeat(50)}application/json`, 406],
  ]
  for (const [Accept, status] of accepted) {
    test(`is ${status} for Accept: ${Accept}`, async () => {
      expect((await fetch(`${world.base}/rest/v1/`, { headers: { Accept } })).status).toBe(status)
    })
  }

  test('is Swagger 2.0 for who asks for it', async () => {
    const Accept = 'application/openapi+json;version=2.0'
    const response = await fetch(`${world.base}/rest/v1/`, { headers: { Accept } })
    expect(response.headers.get('Content-Type')).toBe(`${Accept}; charset=utf-8`)
    expect(response.headers.get('Vary')).toContain('Accept')
    expect(await response.json()).toEqual(JSON.parse(swaggerText()))
    const other = await fetch(`${world.base}/rest/v1/`)
    expect(other.headers.get('ETag')).not.toBe(response.headers.get('ETag'))
  })

  test('takes HEAD, OPTIONS and If-None-Match, and no other method', async () => {
    const head = await fetch(`${world.base}/rest/v1/`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await fetch(`${world.base}/rest/v1/`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('Allow')]).toEqual([200, 'OPTIONS,GET,HEAD'])
    const known = { 'If-None-Match': head.headers.get('ETag') ?? '' }
    expect((await fetch(`${world.base}/rest/v1/`, { headers: known })).status).toBe(304)
    const post = await fetch(`${world.base}/rest/v1/`, { method: 'POST' })
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'OPTIONS,GET,HEAD'])
  })
})

onEachEngine(
  'the OpenAPI document of a server with a name',
  (world) => {
    test('has its address', async () => {
      const { servers } = (await (await fetch(`${world.base}/rest/v1/`)).json()) as Document
      expect(servers[0].url).toBe('https://api.example.com/rest/v1')
    })
  },
  { BASE_URL: 'https://api.example.com' },
)
