import { failure } from '../errors/index.ts'
import type { NewAccess } from '../keys/change.ts'
import type { Access } from '../keys/credential.ts'
import { accessOf, type Operation, operations } from '../keys/narrowing.ts'
import { parseChoice } from '../people/parse.ts'
import { resources } from '../resources/index.ts'
import { parseNetwork } from '../traffic/network.ts'

type Body = Readonly<Record<string, unknown>>

const accesses = ['read', 'read-write'] as const satisfies readonly Access[]
const names: readonly string[] = resources.map(({ name }) => name)
const addressesMax = 50

/** Whether a body says anything of what a credential may do. */
export const hasAccess = (body: Body): boolean =>
  ['access', 'may', 'resources', 'addresses'].some((name) => name in body)

/** What a credential may do. Whatever is left out is not narrowed. */
export function parseAccess(body: Body): NewAccess {
  const may = parseMay(body)
  const access = may ? accessOf(may) : parseChoice(body, 'access', accesses)
  return { access, may, resources: parseResources(body), addresses: parseAddresses(body) }
}

/** The same for a credential that there is: whatever is left out stays, but `access` alone replaces what `may` said. */
export function parseChangedAccess(body: Body, { access, may, resources, addresses }: NewAccess): NewAccess {
  const kept = 'access' in body ? { resources, addresses } : { access, may, resources, addresses }
  return parseAccess({ ...kept, ...body })
}

/** All that `access` says already narrows nothing. */
function parseMay(body: Body): readonly Operation[] | null {
  const list = parseList(body, 'may', operations)
  if (list === null) return null
  const may = operations.filter((operation) => list.includes(operation))
  if (may.length === 0) throw failure.settingsBodyInvalid('"may" is empty', `Send some of ${operations.join(', ')}.`)
  return may
}

function parseResources(body: Body): readonly string[] | null {
  const list = parseList(body, 'resources', names)
  if (list?.length === 0) throw failure.settingsBodyInvalid('"resources" is empty', `Send some of ${names.join(', ')}.`)
  return list && names.filter((name) => list.includes(name))
}

function parseAddresses(body: Body): readonly string[] | null {
  const list = parseTexts(body, 'addresses')?.map((text) => text.trim().toLowerCase()) ?? null
  if (list === null || list.length === 0) return null
  const [wrong] = list.filter((text) => !parseNetwork(text))
  if (wrong !== undefined || list.length > addressesMax)
    throw failure.settingsBodyInvalid(
      wrong === undefined
        ? '"addresses" has too many networks'
        : `"addresses" has "${wrong.slice(0, 50)}", which is no network`,
      `Send at most ${addressesMax}, each like 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.`,
    )
  return [...new Set(list)]
}

function parseList(body: Body, name: string, choices: readonly string[]): readonly string[] | null {
  const list = parseTexts(body, name)
  const [wrong] = list?.filter((text) => !choices.includes(text)) ?? []
  if (wrong !== undefined)
    throw failure.settingsBodyInvalid(`"${name}" has an unknown word`, `Send some of ${choices.join(', ')}.`)
  return list
}

function parseTexts(body: Body, name: string): readonly string[] | null {
  const value = body[name] ?? null
  if (value === null) return null
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw failure.settingsBodyInvalid(`"${name}" must be a list of texts`, 'Send a list, or null for no limit.')
  return value
}
