import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openapiText } from '../../src/docs/openapi.ts'
import type { Reply } from './world.ts'

type JsonObject = Readonly<Record<string, unknown>>

const document: JsonObject = JSON.parse(openapiText())
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'api')

/** Headers of HTTP itself, which no description of an API has to name. */
const plain = ['content-type', 'content-length', 'date', 'transfer-encoding', 'connection', 'keep-alive']

/** What a real answer has that the document does not say, one line each. */
export function findUndocumented(method: string, path: string, reply: Reply): string[] {
  const responses = at('paths', path, method.toLowerCase(), 'responses')
  const key = Object.hasOwn(object(responses), reply.status) ? String(reply.status) : 'default'
  const answer = follow(at('paths', path, method.toLowerCase(), 'responses', key))
  const code = `${reply.status} ${reply.json?.code ?? ''}`
  if (!answer) return [`${method} ${path}: ${code} is not in the document`]
  return [...strayHeaders(answer.value, reply), ...strayBody(answer, reply)].map((line) => `${method} ${path} ${code}: ${line}`)
}

function strayHeaders(answer: JsonObject, { headers }: Reply): string[] {
  const known = Object.keys(object(answer.headers)).map((name) => name.toLowerCase())
  return [...headers.keys()].filter((name) => !known.includes(name) && !plain.includes(name)).map((name) => `header ${name}`)
}

function strayBody({ value, pointer }: Place, { headers, text, json }: Reply): string[] {
  if (text === '') return []
  const type = (headers.get('Content-Type') ?? '').replace('; charset=utf-8', '')
  if (!Object.hasOwn(object(value.content), type)) return [`media type ${type}`]
  const schema = ['content', type, 'schema'].map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const validate = ajv.compile({ $ref: `api#${encodeURI(`${pointer}/${schema}`)}` })
  return validate(type.endsWith('json') && json !== undefined && type !== 'application/x-ndjson' ? json : text)
    ? []
    : [ajv.errorsText(validate.errors)]
}

interface Place {
  readonly value: JsonObject
  /** Where it stands in the document. */
  readonly pointer: string
}

function at(...steps: readonly string[]): JsonObject | null {
  return find(`/${steps.map((step) => step.replaceAll('/', '~1')).join('/')}`)?.value ?? null
}

const follow = (place: JsonObject | null): Place | null =>
  place && typeof place.$ref === 'string' ? find(place.$ref.slice(1)) : null
