import { type Described, operationsOf, restRequest } from '../fuzz/fuzz-rest.ts'
import { settingsRequest } from '../fuzz/fuzz-settings.ts'
import type { Random } from '../random.ts'
import {
  type Attacker,
  type AttackRequest,
  attackers,
  bodyBytesMax,
  bodySize,
  headBytesMax,
  headSize,
} from './attack-request.ts'
import { changes } from './changes.ts'
import { ownerRequest, withLargeNames } from './large-parts.ts'
import type { Population } from './population.ts'

/** Makes the next request to try: a new one, or one of the worst changed, or two of them mixed. */
export function createBreed(random: Random, population: Population, described: Described): () => AttackRequest {
  const operations = operationsOf(described)
  const fresh = (): AttackRequest => makeFresh(random, operations)
  return () => {
    const parent = random.chance(0.1) ? null : population.pick(random)
    if (!parent) return fresh()
    const other = population.pick(random) ?? fresh()
    const child = random.chance(0.3) ? crossed(random, parent, other) : parent
    const rounds = 1 + random.below(3)
    const grown = Array.from({ length: rounds }).reduce(
      (one: AttackRequest) => random.pick(changes)(random, one),
      child,
    )
    return fits(grown) ? grown : parent
  }
}

const fits = (request: AttackRequest): boolean =>
  headSize(request) <= headBytesMax && bodySize(request) <= bodyBytesMax && (request.copies ?? 1) <= copiesMax
const copiesMax = 200

/** Some of the parts of each. Who asks, and what for, is the first one's. */
function crossed(random: Random, one: AttackRequest, other: AttackRequest): AttackRequest {
  const query = [...(one.query ?? []), ...(other.query ?? [])].filter(() => random.chance(0.7))
  const headers = { ...(random.chance(0.7) ? one.headers : {}), ...(random.chance(0.7) ? other.headers : {}) }
  const { body = other.body } = one
  const { manner = random.chance(0.1) ? other.manner : undefined, copies, company, next } = one
  return {
    ...{ as: one.as, method: one.method, path: one.path, query, headers },
    ...(company ? { company } : {}),
    ...(next ? { next } : {}),
    ...(body && takesBody(one.method) ? { body } : {}),
    ...(manner ? { manner } : {}),
    ...(copies ? { copies } : {}),
  }
}

const takesBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method)

function makeFresh(random: Random, operations: ReturnType<typeof operationsOf>): AttackRequest {
  const as = random.pick(attackers)
  if (as === 'owner') return ownerRequest(random)
  const made = makeFuzzed(random, operations, as)
  return random.chance(0.5) ? made : ofLarge(made)
}

/** The same for the company with large rows. */
function ofLarge(request: AttackRequest): AttackRequest {
  const renamed: AttackRequest = JSON.parse(withLargeNames(JSON.stringify(request)))
  return { ...renamed, company: 'large' }
}

/** A request as the fuzzer makes it, without who asks: that is the attacker's. */
function makeFuzzed(random: Random, operations: ReturnType<typeof operationsOf>, as: Attacker): AttackRequest {
  const isRows = as !== 'viewer' || random.chance(0.5)
  const parts = isRows
    ? restRequest(random, operations, as === 'viewer' ? '/api/rest' : '/rest/v1')
    : settingsRequest(random, null)
  const [path = '', ...rest] = parts.target.split('?')
  const query = rest.join('?').split('&').filter(Boolean)
  const type = parts.fields.find(([name]) => name === 'Content-Type')?.[1] ?? 'application/json'
  const own = parts.fields.filter(([name]) => !identifying.test(name))
  return {
    ...{ as, method: parts.method, path, query: query.map((text) => ({ text })) },
    headers: Object.fromEntries(own.map(([name, text]) => [name, { text }])),
    ...(parts.body === null ? {} : { body: { type, rows: { text: parts.body } } }),
  }
}

const identifying = /^(Cookie|Origin|X-Forwarded-For|Sec-Fetch-Site|Content-Type|apikey|Authorization)$/i
