import { BoundedMap } from '../caches/bounded-map.ts'
import { memoize } from '../caches/memoize.ts'
import type { Caller } from '../keys/caller.ts'
import { isRead, type Method } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { neededBy } from './permit-rights.ts'

type Allowed = Pick<Caller, 'access' | 'rights'>

/** More than a company needs, and few enough that all that is made of its lists stays small. */
const listsMax = 16

/** What is made of a list of resources is cached by that list, so the same access gets the same list. */
const listsOf = memoize((_: readonly Resource[]) => new BoundedMap<readonly Resource[]>(listsMax))

/** The resources as a caller may use them: with the methods that its access includes, and without those that it cannot use at all. */
export function resourcesWithin(all: readonly Resource[], caller: Allowed): readonly Resource[] {
  const { access, rights } = caller
  const isNarrowed = rights !== null && (rights.resources !== null || rights.may !== null)
  if (access === 'read-write' && !isNarrowed) return all
  const lists = listsOf(all)
  const key = JSON.stringify([access, rights?.resources, rights?.may])
  const part = lists.get(key) ?? narrow(all, caller)
  lists.set(key, part)
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
