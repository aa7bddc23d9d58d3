import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import released from '../../docs/openapi.json'
import { openapiText } from '../../src/docs/openapi.ts'
import { resources } from '../../src/resources/index.ts'
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

  test('describes every resource with every method', () => {
    const methods = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put']
    for (const { name } of resources) expect(Object.keys(read().paths[`/${name}`]).toSorted()).toEqual(methods)
  })

  test('has a filter for every column, with the operators that fit', () => {
    const { parameters } = read().components
    expect(parameters['project.id'].schema['x-operators']).toContain('in')
    expect(parameters['project.id'].schema['x-operators']).not.toContain('ilike')
    expect(parameters['project.project_name'].schema['x-operators']).toContain('ilike')
  })

  test('never speaks of the company', () => expect(openapiText()).not.toContain('company_id'))

  // After a release, the document becomes the released one: curl …/rest/v1/ | jq . > docs/openapi.json
  test('takes nothing away that was released', () => expect(findBreaks(released, read())).toEqual([]))
})

describe('what a newer document may not do', () => {
  const get = (document: Document) => document.paths['/project'].get
  const sent = (document: Document) => document.components.schemas.project_new
  const row = (document: Document) => document.components.schemas.project

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
    ['remove a media type', (it) => delete get(it).responses[200].content['text/csv'], /media type text\/csv removed/],
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
      (it) => delete it.paths['/project'].post.requestBody.content['text/csv'],
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
  ]
  for (const [Accept, status] of accepted) {
    test(`is ${status} for Accept: ${Accept}`, async () => {
      expect((await fetch(`${world.base}/rest/v1/`, { headers: { Accept } })).status).toBe(status)
    })
  }

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
