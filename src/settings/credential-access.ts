import { failure } from '../errors/index.ts'
import type { NewAccess } from '../keys/change.ts'
import type { Access } from '../keys/credential.ts'
import { accessOf } from '../keys/narrowing.ts'
import { parseNarrowing } from '../keys/parse-narrowing.ts'
import { parseChoice } from '../people/parse.ts'
import { resources } from '../resources/index.ts'

type Body = Readonly<Record<string, unknown>>

const accesses = ['read', 'read-write'] as const satisfies readonly Access[]
const known: readonly string[] = resources.map(({ name }) => name)

/** Whether a body says anything of what a credential may do. */
export const hasAccess = (body: Body): boolean =>
  ['access', 'may', 'resources', 'addresses'].some((name) => name in body)

/** What a credential may do. Whatever is left out is not narrowed. */
export function parseAccess(body: Body): NewAccess {
  const given = {
    resources: parseTexts(body, 'resources'),
    may: parseTexts(body, 'may'),
    addresses: parseTexts(body, 'addresses'),
  }
  const narrowing = parseNarrowing(given, { known, refuse })
  return { access: narrowing.may ? accessOf(narrowing.may) : parseChoice(body, 'access', accesses), ...narrowing }
}

const refuse = (part: string, what: string, hint: string): Error =>
  failure.settingsBodyInvalid(`"${part}" ${what}`, hint)

/** The same for a credential that there is: whatever is left out stays, but `access` alone replaces what `may` said. */
export function parseChangedAccess(body: Body, { access, may, resources, addresses }: NewAccess): NewAccess {
  const kept = 'access' in body ? { resources, addresses } : { access, may, resources, addresses }
  return parseAccess({ ...kept, ...body })
}

function parseTexts(body: Body, name: string): readonly string[] | null {
  const value = body[name] ?? null
  if (value === null) return null
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw failure.settingsBodyInvalid(`"${name}" must be a list of texts`, 'Send a list, or null for no limit.')
  return value
}
