/** Any value in JSON. */
type Json = unknown
type JsonObject = Readonly<Record<string, unknown>>

/** Who sends what a schema describes: a client may send less tomorrow than today's schema asks, and a server may add. */
type Side = 'sent' | 'received'

/** What a client of the older document can no longer rely on in the newer one, one line each. */
export function findBreaks(before: JsonObject, after: JsonObject): string[] {
  const compare = new Comparison(before, after)
  compare.paths(object(before.paths), object(after.paths))
  compare.securitySchemes()
  return [...compare.breaks]
}

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options']

class Comparison {
  readonly breaks = new Set<string>()
  /** Pairs of schemas that were compared already: they refer to each other in circles. */
  private readonly seen = new Set<string>()

  constructor(
    private readonly before: JsonObject,
    private readonly after: JsonObject,
  ) {}

  paths(before: JsonObject, after: JsonObject): void {
    this.each('path', '', before, after, (path, old, now) => {
      const only = (item: JsonObject) => pick(item, methods)
      this.each('method', path, only(old), only(now), (method, was, is) => this.operation(`${path} ${method}`, was, is))
    })
  }

  securitySchemes(): void {
    const of = (document: JsonObject) => object(object(document.components).securitySchemes)
    this.each('security scheme', '', of(this.before), of(this.after), (name, old, now) => {
      for (const key of ['type', 'in', 'name', 'scheme'])
        this.same(`security scheme ${name} ${key}`, old[key], now[key])
    })
  }

  private operation(at: string, before: JsonObject, after: JsonObject): void {
    this.same(`${at} operationId`, before.operationId, after.operationId)
    this.members(`${at} security`, list(before.security).map(stable), list(after.security).map(stable))
    this.parameters(at, before, after)
    this.body(at, this.old(before.requestBody), this.now(after.requestBody))
    this.each('answer', at, object(before.responses), object(after.responses), (status, old, now) =>
      this.answer(`${at} ${status}`, old, now),
    )
  }

  private parameters(at: string, before: JsonObject, after: JsonObject): void {
    const old = byName(list(before.parameters).map((one) => this.old(one)))
    const now = byName(list(after.parameters).map((one) => this.now(one)))
    this.each('parameter', at, old, now, (name, was, is) => {
      if (is.required === true && was.required !== true) this.add(`${at} parameter ${name} became required`)
      this.schema(`${at} parameter ${name}`, was.schema, is.schema, 'sent')
    })
    for (const [name, parameter] of Object.entries(now))
      if (!old[name] && object(parameter).required === true) this.add(`${at} parameter ${name} is new and required`)
  }

  private body(at: string, before: JsonObject, after: JsonObject): void {
    if (after.required === true && before.required !== true) this.add(`${at} body became required`)
    this.content(`${at} body`, before, after, 'sent')
  }

  private answer(at: string, before: JsonObject, after: JsonObject): void {
    this.each('header', at, object(before.headers), object(after.headers), (name, old, now) =>
      this.schema(`${at} header ${name}`, old.schema, now.schema, 'received'),
    )
    this.content(at, before, after, 'received')
  }

  /** What is sent and received in every form is in `x-content`; what generators should make of it, in `content`. */
  private content(at: string, before: JsonObject, after: JsonObject, side: Side): void {
    const every = (one: JsonObject) => object(one['x-content'] ?? one.content)
    this.each('media type', at, every(before), every(after), (type, old, now) =>
      this.schema(`${at} ${type}`, old.schema, now.schema, side),
    )
    // A document without `x-content` had every form in `content`.
    if (before['x-content'] === undefined) return
    this.each('usual media type', at, object(before.content), object(after.content), (type, old, now) =>
      this.schema(`${at} usual ${type}`, old.schema, now.schema, side),
    )
  }

  private schema(at: string, before: Json, after: Json, side: Side): void {
    const pair = `${side} ${refOf(before) ?? at} ${refOf(after) ?? at}`
    if (this.seen.has(pair)) return
    this.seen.add(pair)
    const was = this.old(before)
    const is = this.now(after)
    this.types(at, was, is, side)
    for (const key of ['format', 'pattern', 'const']) this.same(`${at} ${key}`, was[key], is[key])
    this.limits(at, was, is, side)
    for (const key of ['enum', 'x-operators', 'x-preferences']) this.choices(`${at} ${key}`, was[key], is[key], side)
    this.properties(at, was, is, side)
    if (was.items !== undefined) this.schema(`${at}[]`, was.items, is.items, side)
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      list(was[key]).forEach((one, place) => {
        this.schema(`${at} ${key} ${place}`, one, list(is[key])[place], side)
      })
    }
  }

  private types(at: string, before: JsonObject, after: JsonObject, side: Side): void {
    const [was, is] = [this.typesOf(before, this.old), this.typesOf(after, this.now)]
    // What has no type is taken, whatever it is.
    if (side === 'sent' && is.length === 0) return
    // What is taken must hold all that was; what is given, nothing that was not.
    const [kept, all] = side === 'sent' ? [is, was] : [was, is]
    const vanished = side === 'received' && was.length > 0 && is.length === 0
    if (vanished || all.some((type) => !kept.includes(type))) this.add(`${at} type changed from ${was} to ${is}`)
  }

  /** Those of a schema, or of the schemas among which it leaves the choice. */
  private typesOf(schema: JsonObject, resolve: (value: Json) => JsonObject): readonly Json[] {
    const choices = [...list(schema.anyOf), ...list(schema.oneOf)]
    return schema.type === undefined ? choices.flatMap((one) => list(resolve(one).type)) : list(schema.type)
  }

  private limits(at: string, before: JsonObject, after: JsonObject, side: Side): void {
    for (const [key, direction] of Object.entries(limits)) {
      const open = direction * Number.POSITIVE_INFINITY
      const [was, is] = [Number(before[key] ?? open), Number(after[key] ?? open)]
      // What is taken may not become less; what is given may not become more.
      const narrower = direction * (side === 'sent' ? was - is : is - was) > 0
      if (was !== is && narrower) this.add(`${at} ${key} changed from ${before[key]} to ${after[key]}`)
    }
  }

  /** What may be sent must stay. Of what is received, more may come, since clients ignore what they do not know. */
  private choices(at: string, before: Json, after: Json, side: Side): void {
    if (side === 'sent' && before === undefined && after !== undefined) this.add(`${at} is new`)
    if (after !== undefined) this.members(at, list(before).map(stable), list(after).map(stable))
    else if (side === 'received' && before !== undefined) this.add(`${at} removed`)
  }

  private properties(at: string, before: JsonObject, after: JsonObject, side: Side): void {
    const [old, now] = [object(before.properties), object(after.properties)]
    this.kept('property', at, old, now, (name) => this.schema(`${at}.${name}`, old[name], now[name], side))
    const [was, is] = [list(before.required), list(after.required)]
    if (side === 'sent') this.members(`${at} not required`, is.map(stable), was.map(stable))
    else this.members(`${at} required`, was.map(stable), is.map(stable))
    if (side === 'sent' && before.additionalProperties !== false && after.additionalProperties === false)
      this.add(`${at} takes no further properties any more`)
  }

  /** What is there in both, with its references followed. */
  private each(
    what: string,
    at: string,
    before: JsonObject,
    after: JsonObject,
    compare: (name: string, old: JsonObject, now: JsonObject) => void,
  ): void {
    this.kept(what, at, before, after, (name) => compare(name, this.old(before[name]), this.now(after[name])))
  }

  private kept(what: string, at: string, before: JsonObject, after: JsonObject, visit: (name: string) => void): void {
    for (const name of Object.keys(before)) {
      if (Object.hasOwn(after, name)) visit(name)
      else this.add(`${at} ${what} ${name} removed`.trim())
    }
  }

  private members(at: string, before: readonly string[], after: readonly string[]): void {
    for (const one of before) if (!after.includes(one)) this.add(`${at}: ${one} removed`)
  }

  private same(at: string, before: Json, after: Json): void {
    if (stable(before) !== stable(after)) this.add(`${at} changed from ${stable(before)} to ${stable(after)}`)
  }

  private old = (value: Json): JsonObject => this.resolved(this.before, value)
  private now = (value: Json): JsonObject => this.resolved(this.after, value)

  private resolved(document: JsonObject, value: Json): JsonObject {
    const reference = refOf(value)
    if (reference === null) return object(value)
    const steps = reference.slice(2).split('/')
    return object(steps.reduce<Json>((place, step) => object(place)[step], document))
  }

  private add(line: string): void {
    this.breaks.add(line)
  }
}

/** 1: a larger number allows more. -1: a smaller one does. */
const limits = { maxLength: 1, maximum: 1, maxItems: 1, minLength: -1, minimum: -1, minItems: -1 } as const

const object = (value: Json): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const list = (value: Json): readonly Json[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

const refOf = (value: Json): string | null => {
  const { $ref } = object(value)
  return typeof $ref === 'string' ? $ref : null
}

const stable = (value: Json): string => JSON.stringify(value) ?? 'nothing'

const pick = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

const byName = (parameters: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}`, one]))
