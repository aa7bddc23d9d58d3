import type { Caller } from '../keys/caller.ts'
import { isRead, type Method } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { neededBy } from './permit-rights.ts'

type Allowed = Pick<Caller, 'access' | 'rights'>

/** What is made of a list of resources is cached by that list, so the same access always gets the same list. */
const parts = new WeakMap<readonly Resource[], Map<string, readonly Resource[]>>()

/** The resources as a caller may use them: with the methods that its access includes, and without those that it cannot use at all. */
export function resourcesWithin(all: readonly Resource[], caller: Allowed): readonly Resource[] {
  const { access, rights } = caller
  const isNarrowed = rights !== null && (rights.resources !== null || rights.may !== null)
  if (access === 'read-write' && !isNarrowed) return all
  const known = parts.get(all) ?? new Map<string, readonly Resource[]>()
  const key = JSON.stringify([access, rights?.resources, rights?.may])
  const part = known.get(key) ?? narrow(all, caller)
  parts.set(all, known.set(key, part))
  return part
}

function narrow(all: readonly Resource[], caller: Allowed): readonly Resource[] {
  // A row shows rows of other resources only to those who may read them.
  const siblings: Resource[] = []
  const usable = all.flatMap((resource) => {
    const methods = resource.methods.filter((method) => mayUse(caller, resource, method))
    return methods.length === 0 ? [] : [{ ...resource, methods, siblings }]
  })
  siblings.push(...usable.filter(({ methods }) => methods.some(isRead)))
  return usable
}

function mayUse({ access, rights }: Allowed, { name }: Resource, method: Method): boolean {
  if (access === 'read' && !isRead(method)) return false
  if (rights === null) return true
  const { resources, may } = rights
  return (resources?.includes(name) ?? true) && neededBy[method].every((operation) => may?.includes(operation) ?? true)
}
