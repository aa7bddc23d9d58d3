import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openapiText } from '../../src/docs/openapi.ts'
import type { Reply } from './world.ts'

type JsonObject = Readonly<Record<string, unknown>>

const document: JsonObject = JSON.parse(openapiText())
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'api')

/** Headers of HTTP itself and those for browsers, which no description of an API has to name. */
const plain = [
  ...['content-type', 'content-length', 'date', 'transfer-encoding', 'connection', 'keep-alive'],
  ...['content-security-policy', 'x-frame-options', 'referrer-policy', 'permissions-policy'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy'],
]

/** What a real answer has that the document does not say, one line each. */
export function findUndocumented(method: string, path: string, reply: Reply): string[] {
  const place = findAnswer(`/paths/${escaped(path)}/${method.toLowerCase()}/responses`, reply.status)
  const strays = place ? [...strayHeaders(place, reply), ...strayBody(place, reply)] : ['status']
  return strays.map((stray) => `${method} ${path} ${reply.status}: ${stray} is not in the document`)
}

/** Something in the document, and where it stands. */
interface Place {
  readonly pointer: string
  readonly value: JsonObject
}

function findAnswer(responses: string, status: number): Place | null {
  const pointer = resolve(`${responses}/${status}`) ? `${responses}/${status}` : `${responses}/default`
  const value = resolve(pointer)
  if (!value || typeof value.$ref !== 'string') return value && { pointer, value }
  const target = value.$ref.slice(1)
  return { pointer: target, value: object(resolve(target)) }
}

function resolve(pointer: string): JsonObject | null {
  const found = pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((value, step) => object(value)[step.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  return found === undefined ? null : object(found)
}

function strayHeaders({ value }: Place, { headers }: Reply): string[] {
  const known = Object.keys(object(value.headers)).map((name) => name.toLowerCase())
  const strays = [...headers.keys()].filter((name) => !known.includes(name) && !plain.includes(name))
  return strays.map((name) => `header ${name}`)
}

function strayBody({ value, pointer }: Place, { headers, text, json }: Reply): string[] {
  if (text === '') return []
  const type = (headers.get('Content-Type') ?? '').replace('; charset=utf-8', '')
  // Every form of an answer is in `x-content`, where there are several.
  const key = value['x-content'] === undefined ? 'content' : 'x-content'
  if (!Object.hasOwn(object(value[key]), type)) return [`media type ${type}`]
  const validate = ajv.compile({ $ref: `api#${encodeURI(`${pointer}/${key}/${escaped(type)}/schema`)}` })
  const isJson = /[/+]json(;|$)/.test(type)
  return validate(isJson ? json : text) ? [] : [ajv.errorsText(validate.errors)]
}

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

const object = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {}
